/** Whether this is the name of a guest, who has no password. */
export const isGuestName = (name = ''): boolean => /^Guest [A-Z2-9]{6}$/.test(name);

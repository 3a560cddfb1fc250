// The four betting spots, in the order in which they are paid.
export type SpotName = 'trips' | 'ante' | 'blind' | 'play';
export const spotNames: readonly SpotName[] = ['trips', 'ante', 'blind', 'play'];

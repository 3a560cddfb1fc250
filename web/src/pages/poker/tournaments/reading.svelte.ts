// Lists that are read over HTTP and read again after changes.

/** Lists are read again after changes, at most this often. */
const readMs = 4_000;

/** Reads at once when what was asked for changes, and within some seconds after other changes. */
export function reading(asked: () => unknown, changes: () => unknown, read: () => Promise<void>): void {
  let readAt = 0;
  const now = () => {
    readAt = Date.now();
    void read();
  };
  $effect(() => {
    asked();
    now();
  });
  $effect(() => {
    changes();
    const timer = setTimeout(now, Math.max(0, readAt + readMs - Date.now()));
    return () => clearTimeout(timer);
  });
}

/** Tells each message once: the same is found out for several purposes. */
export function tellOnce(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) tell(message);
    told.add(message);
  };
}

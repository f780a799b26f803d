/** Returns whether an address is the gate's own or below it. Its protocol may differ. */
export const isGateAddress = (address: string, gate: string): boolean => {
  const [one, own] = [URL.parse(address), URL.parse(gate)];
  if (!one || !own || one.host !== own.host) return false;
  const path = own.pathname.replace(/\/$/, '');
  return `${one.pathname}/`.startsWith(`${path}/`);
};

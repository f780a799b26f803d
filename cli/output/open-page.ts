import type { Terminal } from './terminal.ts';

/** Opens an address in the browser. Without one, the address on standard error can still be opened by hand. */
export const openPage = async (address: string, { err, warn }: Terminal): Promise<void> => {
  err.write(`Opening ${address}\n`);
  const { default: open } = await import('open');
  const warnOfFault = ({ message }: Error): void => warn(`No browser can be opened: ${message}`);
  try {
    const browser = await open(address);
    browser.once('error', warnOfFault);
  } catch (error) {
    warnOfFault(error as Error);
  }
};

import { findProxiedFetch } from '../../../shared/api/client/node-transport.ts';
import {
  beginDeviceSignIn,
  discoverProvider,
  type SignInTokens,
} from '../../../shared/api/client/sign-in.ts';
import type { SignInSettings } from '../../../shared/domain/identity/trusted-issuer.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { InterruptedError } from '../../input/interrupted-error.ts';
import { withInterruption } from '../../input/interruption.ts';
import { openPage } from '../../output/open-page.ts';
import type { Terminal } from '../../output/terminal.ts';
import { toOneLine } from '../../output/text.ts';
import { describeProviderFault, findRefusal } from '../../session/provider-fault.ts';
import { waitForDevice } from './device-sign-in.ts';
import { signInOnLoopback } from './loopback-sign-in.ts';

/**
 * Shows the address of the provider's page, and opens it at a terminal. Another scheme than that of the web could start any
 * program.
 */
const showPage = async (address: string, terminal: Terminal): Promise<void> => {
  const { err } = terminal;
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new Error('its sign-in page is no address of the web');
  }
  const { href } = new URL(address);
  if (err.isTerminal) await openPage(href, terminal);
  else err.write(`Open this address in a browser: ${href}\n`);
};

const signInAt = async (
  place: SignInSettings,
  terminal: Terminal,
  { port, signal }: { readonly port: number | undefined; readonly signal: AbortSignal },
): Promise<SignInTokens> => {
  const provider = await discoverProvider(place, await findProxiedFetch());
  const device = port === undefined ? await beginDeviceSignIn(provider) : undefined;
  if (!device) {
    const show = (address: string) => showPage(address, terminal);
    return signInOnLoopback(provider, { show, port, signal });
  }
  terminal.err.write(`The code of this sign-in is ${toOneLine(device.userCode)}\n`);
  await showPage(device.url, terminal);
  return waitForDevice(provider, device, signal);
};

const toFailure = (error: unknown, { issuer }: SignInSettings): unknown => {
  if (error instanceof InterruptedError || error instanceof NegativeResultError) return error;
  const refusal = findRefusal(error);
  if (refusal !== undefined) {
    return new NegativeResultError(`${issuer} refused the sign-in: ${toOneLine(refusal)}.`);
  }
  const why = toOneLine(describeProviderFault(error));
  return new Error(`The sign-in at ${issuer} failed: ${why}.`, { cause: error });
};

/**
 * Has the user sign in at the provider: with a code on any device, or else in a browser of this machine. With a port, always so.
 * @throws {NegativeResultError} if the provider refuses, or nobody signs in before the end of the time
 * @throws {InterruptedError} after Ctrl-C
 * @throws {Error} if the provider does not answer
 */
export const signIn = async (
  place: SignInSettings,
  terminal: Terminal,
  port?: number,
): Promise<SignInTokens> => {
  try {
    return await withInterruption((signal) => signInAt(place, terminal, { port, signal }));
  } catch (error) {
    throw toFailure(error, place);
  }
};

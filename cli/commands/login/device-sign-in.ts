import { setTimeout as delay } from 'node:timers/promises';
import {
  type DeviceSignIn,
  pollDeviceSignIn,
  type SignInProvider,
  type SignInTokens,
} from '../../../shared/api/client/sign-in.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { isConnectionFault } from '../../session/provider-fault.ts';

/** Extension of the interval after each `slow_down`, in milliseconds (RFC 8628, section 3.5). */
const slowDownMs = 5000;

/** Polls once. A request without an answer slows down the next ones. */
const poll = async (provider: SignInProvider, device: DeviceSignIn) => {
  try {
    return await pollDeviceSignIn(provider, device);
  } catch (error) {
    if (isConnectionFault(error)) return 'slow_down';
    throw error;
  }
};

/**
 * Waits until the user has signed in with the code. Resolves to the tokens.
 * @throws {NegativeResultError} if the code expires before
 * @throws {Error} if the provider refuses
 */
export const waitForDevice = async (
  provider: SignInProvider,
  device: DeviceSignIn,
  signal: AbortSignal,
): Promise<SignInTokens> => {
  const end = performance.now() + device.expiresInMs;
  for (let { intervalMs } = device; ; ) {
    await delay(intervalMs, undefined, { signal });
    if (performance.now() >= end) {
      throw new NegativeResultError('The code has expired before somebody signed in.', [
        'Run registry login --sso again.',
      ]);
    }
    const answer = await poll(provider, device);
    if (answer === 'slow_down') intervalMs += slowDownMs;
    else if (answer !== 'pending') return answer;
  }
};

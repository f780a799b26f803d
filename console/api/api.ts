import { createOperations } from '../../shared/api/client/create-operations.ts';
import type { RegistryClient } from '../../shared/api/client/operations.ts';
import routes from './routes.build.ts';
import { type Credentials, createSender } from './send.ts';

/** The registry, which the console is a page of: whatever the stage or a custom domain puts before both. */
export const base = location.origin + location.pathname.replace(/\/console\/?$/, '');

const nobody: Credentials = { readToken: () => null, noteRefused: () => undefined };

/** The operations of the registry; without credentials, as nobody. */
export const createApi = (credentials: Credentials = nobody): RegistryClient =>
  createOperations(routes, createSender(base, credentials));

/** Names a write, so that it is done once however often it is sent. */
export const makeKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

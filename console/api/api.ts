import { createOperations } from '../../shared/client/create-operations.ts';
import type { RegistryClient } from '../../shared/client/operations.ts';
import routes from './routes.build.ts';
import { createSender } from './send.ts';

/** The registry, which the console is a page of: whatever the stage or a custom domain puts before both. */
const base = location.origin + location.pathname.replace(/\/console\/?$/, '');

/** The operations of the registry, with a token or without. */
export const createApi = (token: string | null): RegistryClient =>
  createOperations(routes, createSender(base, token));

/** Names a write, so that it is done once however often it is sent. */
export const makeKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

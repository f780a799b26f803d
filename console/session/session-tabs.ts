import type { AccountTokens } from './account-tokens.ts';

/** A message between tabs of the console. `account` is sent after a sign-in by account, and after each renewal. */
export type TabMessage =
  | { readonly kind: 'asks' }
  | { readonly kind: 'signed-in'; readonly token: string }
  | { readonly kind: 'account'; readonly tokens: AccountTokens }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'ended'; readonly fingerprint: string };

/** The other open tabs of this registry. Browsers deliver messages within one origin, and store none. */
export interface Tabs {
  readonly send: (message: TabMessage) => void;
}

/** Connects this tab with the other tabs. Calls `handle` with each message. */
export const joinTabs = (registry: string, handle: (message: TabMessage) => void): Tabs => {
  const channel = new BroadcastChannel(`registry-session ${registry}`);
  // Tabs with another release of the console can send other kinds, which nothing handles.
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => handle(data);
  return { send: (message) => channel.postMessage(message) };
};

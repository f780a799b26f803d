/** A message between tabs of the console. */
export type TabMessage =
  | { readonly kind: 'asks' }
  | { readonly kind: 'signed-in'; readonly token: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'ended'; readonly fingerprint: string };

const kinds: readonly unknown[] = ['asks', 'signed-in', 'signed-out', 'ended'];

const isMessage = (data: unknown): data is TabMessage =>
  typeof data === 'object' && data !== null && 'kind' in data && kinds.includes(data.kind);

/** The other open tabs of this registry. Browsers deliver messages within one origin, and store none. */
export interface Tabs {
  readonly send: (message: TabMessage) => void;
}

/** Connects this tab with the other tabs. Calls `handle` with each message. */
export const joinTabs = (registry: string, handle: (message: TabMessage) => void): Tabs => {
  const channel = new BroadcastChannel(`registry-session ${registry}`);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) handle(data);
  });
  return { send: (message) => channel.postMessage(message) };
};

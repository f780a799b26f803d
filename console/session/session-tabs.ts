/** What tabs of the console tell each other. */
export type TabMessage =
  | { readonly kind: 'asks' }
  | { readonly kind: 'signed-in'; readonly token: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'ended'; readonly fingerprint: string };

const kinds: readonly unknown[] = ['asks', 'signed-in', 'signed-out', 'ended'];

const isMessage = (data: unknown): data is TabMessage =>
  typeof data === 'object' && data !== null && 'kind' in data && kinds.includes(data.kind);

/** The open tabs of one registry: a browser keeps messages among pages of the same origin, and stores none of them. */
export interface Tabs {
  readonly tell: (message: TabMessage) => void;
}

/** Joins the other tabs of this registry. `hear` is called with what they tell. */
export const joinTabs = (registry: string, hear: (message: TabMessage) => void): Tabs => {
  const channel = new BroadcastChannel(`registry-session ${registry}`);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) hear(data);
  });
  return { tell: (message) => channel.postMessage(message) };
};

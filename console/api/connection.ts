import { createStore, useStore } from '../state/store.ts';

interface Connection {
  /** When requests began to fail, in epoch milliseconds; null while they succeed. */
  readonly lostAt: number | null;
  /** How often the connection came back. */
  readonly reconnects: number;
}

const connection = createStore<Connection>({ lostAt: null, reconnects: 0 });

/** Notes that a request got no answer. */
export const noteConnectionLost = (): void =>
  connection.set(({ lostAt, reconnects }) => ({ lostAt: lostAt ?? Date.now(), reconnects }));

/** Notes that a request got an answer. Returns true if the connection was lost before. */
export const noteConnected = (): boolean => {
  const isReconnect = connection.get().lostAt !== null;
  if (isReconnect)
    connection.set(({ reconnects }) => ({ lostAt: null, reconnects: reconnects + 1 }));
  return isReconnect;
};

/** Returns when the connection was lost, in epoch milliseconds; null while the registry answers. */
export const useConnectionLostAt = (): number | null => useStore(connection).lostAt;

/** Returns how often the connection came back: a failed request is worth another attempt when the number changes. */
export const useReconnectCount = (): number => useStore(connection).reconnects;

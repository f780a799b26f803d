import type * as z from 'zod';
import { parseJson } from '../../util/json.ts';
import { logEvent } from '../../util/log.ts';
import type { QueueEvent } from './events/queue-event.ts';
import { QueuedVersion } from './events/queued-version.ts';

/** Id of a message, and its version; the version is undefined for an unreadable message. */
export interface Message {
  readonly messageId: string;
  readonly version: QueuedVersion | undefined;
}

/** Returns the text of a message about a version. */
export const formatMessage = ({ ecosystem, name, version }: QueuedVersion): string =>
  JSON.stringify({ ecosystem, name, version });

type QueueRecord = QueueEvent['Records'][number];

/** Returns the parsed body of a message; undefined for an unreadable one, which is logged. */
export const parseBody = <S extends z.ZodType>(
  schema: S,
  { messageId, body }: QueueRecord,
): z.output<S> | undefined => {
  const { data } = schema.safeParse(parseJson(body));
  if (data === undefined) logEvent('error', 'message_not_read', { message_id: messageId, body });
  return data;
};

/** Returns the parsed message of a queue of versions. An unreadable message is logged. */
export const readMessage = (record: QueueRecord): Message => ({
  messageId: record.messageId,
  version: parseBody(QueuedVersion, record),
});

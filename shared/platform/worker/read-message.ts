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

/** Returns the parsed message of a queue of versions. An unreadable message is logged. */
export const readMessage = ({ messageId, body }: QueueEvent['Records'][number]): Message => {
  const { data: version } = QueuedVersion.safeParse(parseJson(body));
  if (!version) logEvent('error', 'message_not_read', { message_id: messageId, body });
  return { messageId, version };
};

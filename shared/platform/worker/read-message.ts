import { parseJson } from '../../util/json.ts';
import { logEvent } from '../../util/log.ts';
import type { QueueEvent } from './events/queue-event.ts';
import { QueuedVersion } from './events/queued-version.ts';

/** A message, and the version that it is about; undefined where it cannot be read. */
export interface Message {
  readonly messageId: string;
  readonly version: QueuedVersion | undefined;
}

/** Reads a message of a queue of versions. What cannot be read is logged. */
export const readMessage = ({ messageId, body }: QueueEvent['Records'][number]): Message => {
  const { data: version } = QueuedVersion.safeParse(parseJson(body));
  if (!version) logEvent('error', 'message_not_read', { message_id: messageId, body });
  return { messageId, version };
};

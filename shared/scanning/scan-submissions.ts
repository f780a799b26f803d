import { type BatchAnswer, reportFailures } from '../batch-answer.ts';
import { parseJson } from '../domain/json.ts';
import { logEvent } from '../log.ts';
import type { QueueEvent } from '../schemas/queue-event.ts';
import { QueuedVersion } from '../schemas/queued-version.ts';
import { type Outcome, type Scanning, scanVersions } from './scan-versions.ts';

/** A message, and the version that it is about; undefined where it cannot be read. */
interface Message {
  readonly messageId: string;
  readonly version: QueuedVersion | undefined;
}

const readMessage = ({ messageId, body }: QueueEvent['Records'][number]): Message => {
  const { data: version } = QueuedVersion.safeParse(parseJson(body));
  if (!version) logEvent('error', 'message_not_read', { message_id: messageId, body });
  return { messageId, version };
};

const isDone = (outcome: Outcome | undefined): boolean =>
  outcome === 'told' || outcome === 'unwanted';

/** Whether it failed for no fault of the version. */
const isOurs = (outcome: Outcome): boolean => outcome === 'unreachable' || outcome === 'broken';

/**
 * Scans versions that were just submitted. What failed is told to the queue, message by message, which has it tried again.
 * @throws {Error} where nothing could be done at all, so that it is noticed
 */
export const scanSubmissions = async (
  { Records }: QueueEvent,
  scanning: Scanning,
): Promise<BatchAnswer> => {
  const messages = Records.map(readMessage);
  const scanned = await scanVersions(
    messages.flatMap(({ version }) => version ?? []),
    // Messages come at least once.
    (status) => status !== 'finished',
    scanning,
  );
  const outcomes = new Map(scanned.map(({ version, outcome }) => [version, outcome]));
  const failed = messages.filter(({ version }) => !(version && isDone(outcomes.get(version))));
  if (failed.length === messages.length && scanned.some(({ outcome }) => isOurs(outcome))) {
    throw new Error(`None of ${scanned.length} versions could be scanned; all are tried again`);
  }
  return reportFailures(failed.map(({ messageId }) => messageId));
};

import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import type { QueueEvent } from '../../platform/worker/events/queue-event.ts';
import { readMessage } from '../../platform/worker/read-message.ts';
import { type Outcome, type Scanning, scanVersions } from './scan-versions.ts';

const isDone = (outcome: Outcome | undefined): boolean =>
  outcome === 'saved' || outcome === 'unwanted';

/** True if a scan failed for a reason outside of the version. */
const isOurs = (outcome: Outcome): boolean => outcome === 'unreachable' || outcome === 'broken';

/**
 * Scans versions that are new, or whose scan is too old for an approval by a rule. Reports failures to the queue, message by
 * message, for another delivery.
 * @throws {Error} if all versions failed and at least one for an outside reason, so that an alarm is raised
 */
export const scanSubmissions = async (
  { Records }: QueueEvent,
  scanning: Scanning,
): Promise<BatchAnswer> => {
  const messages = Records.map(readMessage);
  const scanned = await scanVersions(
    messages.flatMap(({ version }) => version ?? []),
    // SQS delivers a message at least once, so a version may have been scanned just now.
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

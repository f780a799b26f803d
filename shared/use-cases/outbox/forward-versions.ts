import type { QueueId } from '../../api/resources.ts';
import { isScannedAutomatically } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import {
  NewVersionImage,
  type NewVersionsEvent,
} from '../../platform/worker/events/new-versions-event.ts';
import type { QueuedVersion } from '../../platform/worker/events/queued-version.ts';
import { sendMessages } from '../../platform/worker/send-messages.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';

/** A queue, and a filter for the versions that it receives. */
interface Destination {
  readonly queue: QueueId;
  readonly wants: (version: QueuedVersion) => boolean;
}

/** Checks of new versions that are enabled in this deployment. */
export interface SubmissionChecks {
  readonly scans: boolean;
  readonly facts: boolean;
}

const listDestinations = ({ scans, facts }: SubmissionChecks): Destination[] => [
  ...(scans ? [{ queue: 'scan', wants: isScannedAutomatically } as const] : []),
  ...(facts ? [{ queue: 'facts', wants: () => true } as const] : []),
];

type NewVersionRecord = NewVersionsEvent['Records'][number];

/** Returns the version in a stream record. An unreadable record is logged and left out: a retry would not help. */
const readVersion = ({ dynamodb }: NewVersionRecord): QueuedVersion | undefined => {
  const { data: image } = NewVersionImage.safeParse(dynamodb.NewImage);
  if (image) return { ecosystem: image.ecosystem.S, name: image.name.S, version: image.version.S };
  logEvent('error', 'record_not_read', {
    sequence_number: dynamodb.SequenceNumber,
    keys: dynamodb.Keys,
  });
  return undefined;
};

/** Sends the matching versions to one queue. Returns the batch indexes of versions that the queue did not accept. */
const forwardTo = async (
  { queue, wants }: Destination,
  versions: readonly (QueuedVersion | undefined)[],
  deadline: Deadline,
): Promise<readonly number[]> => {
  const places = versions.flatMap((version, place) => (version && wants(version) ? [place] : []));
  const bodies = places.map((place) => JSON.stringify(versions[place]));
  const unsent = await sendMessages(queue, bodies, deadline);
  return places.filter((_, at) => unsent.has(at));
};

/**
 * Sends new versions to the queues of all enabled checks. Lambda delivers the batch again from the first version that a
 * queue did not accept. A queue may then receive a version twice, so its worker must be idempotent.
 * @throws {Error} if the first version of the batch was not accepted, so that an alarm is raised
 */
export const forwardVersions = async (
  { Records }: NewVersionsEvent,
  diligence: SubmissionChecks,
  deadline: Deadline,
): Promise<BatchAnswer> => {
  const versions = Records.map(readVersion);
  const unsent: number[] = [];
  for (const destination of listDestinations(diligence)) {
    unsent.push(...(await forwardTo(destination, versions, deadline)));
  }
  if (unsent.length === 0) return reportFailures([]);
  const first = Math.min(...unsent);
  logEvent('error', 'versions_not_forwarded', { count: unsent.length, first: versions[first] });
  if (first === 0) throw new Error('A queue does not take what is sent to it; it is sent again');
  return reportFailures(Records.slice(first, first + 1).map((one) => one.dynamodb.SequenceNumber));
};

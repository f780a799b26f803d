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

/** A queue, and which versions it gets. */
interface Destination {
  readonly queue: QueueId;
  readonly wants: (version: QueuedVersion) => boolean;
}

/** What is done with new versions in this deployment. */
export interface SubmissionChecks {
  readonly scans: boolean;
  readonly facts: boolean;
}

const listDestinations = ({ scans, facts }: SubmissionChecks): Destination[] => [
  ...(scans ? [{ queue: 'scan', wants: isScannedAutomatically } as const] : []),
  ...(facts ? [{ queue: 'facts', wants: () => true } as const] : []),
];

type NewVersionRecord = NewVersionsEvent['Records'][number];

/** The version that a record tells of. What tells of none will tell of none when it comes again: it is logged, and left out. */
const readVersion = ({ dynamodb }: NewVersionRecord): QueuedVersion | undefined => {
  const { data: image } = NewVersionImage.safeParse(dynamodb.NewImage);
  if (image) return { ecosystem: image.ecosystem.S, name: image.name.S, version: image.version.S };
  logEvent('error', 'record_not_read', {
    sequence_number: dynamodb.SequenceNumber,
    keys: dynamodb.Keys,
  });
  return undefined;
};

/** Puts each version into one queue, if it wants it; resolves to the places of those that it did not take. */
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
 * Puts new versions into the queues of what is done with them. From the first one that a queue did not take on, they
 * come again; some then are in a queue twice, which its worker has to bear.
 * @throws {Error} where not even the first one was taken, so that it is noticed
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

import { describeProjectCount } from '../../domain/projects/describe-uses.ts';
import type { Status } from '../../domain/review/status.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import { addRecord } from '../../storage/decisions/records.ts';
import { putOnce } from '../../storage/dynamodb/write-alone.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { countProjects } from '../../storage/projects/use-rows.ts';
import { digest } from '../../util/digest.ts';

/** A change of an approved version that affects its users. */
export interface AffectingChange {
  /** Time of the change, ISO 8601. */
  readonly at: string;
  /** The status after the change: `approved` if the version needs attention. */
  readonly to: Status;
}

/** Returns the reason of the record: `At least 1,000 projects use this version.` */
const describeUsers = (projects: number, isComplete: boolean): string => {
  const count = describeProjectCount({ projects, projects_at_least: !isComplete });
  const text = `${count} ${projects === 1 ? 'uses' : 'use'} this version.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

/**
 * Records that projects use a version whose approval ended or that needs attention; nothing without a change or a project. The
 * record has the number of projects, and no names, because events are public. A repetition adds no second record.
 */
export const recordAffected = async (
  versionKey: string,
  change: AffectingChange | undefined,
): Promise<void> => {
  const id = change && parseVersionKey(versionKey);
  if (!id) return;
  const { projects, isComplete } = await countProjects([id]);
  if (projects === 0) return;
  const { at, to } = change;
  const record = addRecord(
    id,
    {
      type: 'project.affected',
      by: null,
      from: 'approved',
      to,
      reason: describeUsers(projects, isComplete),
      projects,
    },
    {
      actor: anonymous,
      // After the record of the change itself.
      at: new Date(Date.parse(at) + 1).toISOString(),
      id: digest([versionKey, at, 'affected']),
    },
  );
  await putOnce(record);
};

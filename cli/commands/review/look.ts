import { RequestError } from '../../../shared/api/client/client.ts';
import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { PackageListItem } from '../../../shared/api/schemas/package.ts';
import { toOneLine } from '../../output/text.ts';
import { formatEvidence } from '../../presentation/version-evidence.ts';
import { askWhereTo } from './ask.ts';
import { type Desk, type Move, type Step, untilInterrupted } from './desk.ts';
import { settle } from './settle.ts';
import { selectVersion } from './version-selection.ts';

/** A version that the reviewer looks at, and what became of it when they did before. */
interface Look {
  readonly item: PackageListItem;
  readonly before: Step | undefined;
  /** Of what is gone through, counted from 1. */
  readonly position: number;
  readonly total: number;
}

/** A fault that would meet the next version too: nobody answers, or not the registry. */
const isAway = ({ problem, status }: RequestError): boolean =>
  problem === null || [401, 403].includes(status ?? 0);

/** What is known of a version; says why if it cannot be read, and the review goes on without this one. */
const readEvidence = async (
  desk: Desk,
  item: PackageListItem,
): Promise<VersionEvidence | undefined> => {
  const { client, terminal } = desk.session;
  try {
    return await client.showEvidence(selectVersion(item), untilInterrupted(desk));
  } catch (error) {
    if (!(error instanceof RequestError) || isAway(error)) throw error;
    const { out } = terminal;
    const why = toOneLine(`${item.name} ${item.version} cannot be shown: ${error.detail}`);
    out.write(`\n${out.style('red', why)}\n`);
    return undefined;
  }
};

/** Has the reviewer go on from what they have been at before, and can do nothing about. */
const goOn = async (desk: Desk, before: Step, isFirst: boolean): Promise<Move> => {
  const choice = await askWhereTo(desk, isFirst);
  return choice === 'next' ? before : choice;
};

/** Shows a version as it stands now, and has the reviewer decide on it if it is pending; again where its evidence changed. */
export const lookAt = async (desk: Desk, look: Look): Promise<Move> => {
  const { item, before, position, total } = look;
  const { out } = desk.session.terminal;
  const isFirst = position === 1;
  const evidence = await readEvidence(desk, item);
  if (!evidence) return before ? goOn(desk, before, isFirst) : 'skipped';
  const { status } = evidence.package;
  if (status !== 'pending' && !before) {
    out.write(`\n${toOneLine(`${item.name} ${item.version} has been ${status} meanwhile.`)}\n`);
    return 'overtaken';
  }
  const lines = formatEvidence(evidence, out);
  out.write(`\n${out.style('dim', `${position} of ${total}`)}\n${lines.join('\n')}\n`);
  if (status !== 'pending' && before) return goOn(desk, before, isFirst);
  const move = await settle(desk, evidence, isFirst);
  return move === 'changed' ? lookAt(desk, look) : move;
};

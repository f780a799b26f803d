import { type Finding, toFinding, type UsedVersion } from '../../shared/checking/findings.ts';
import { splitInto } from '../../shared/domain/split-into.ts';
import { runInParallel } from '../../shared/in-parallel.ts';
import { type CheckRequest, maxChecked } from '../../shared/schemas/check.ts';
import { eraseLine, type Output } from '../output/terminal.ts';
import type { Session } from '../session/session.ts';
import { readChecked } from './checked.ts';

const lanes = 4;

/** Whoever waits longer than this is told how far it is. */
const noticedMs = 1000;

/** Tells whoever watches how far it is, once that takes time. */
const watchProgress = (total: number, err: Output) => {
  let answered = 0;
  let isTold = false;
  const tell = (): void => {
    isTold = true;
    err.write(`${eraseLine}${answered} of ${total} checked`);
  };
  const timer = err.isTerminal ? setTimeout(tell, noticedMs) : undefined;
  return {
    advance: (count: number): void => {
      answered += count;
      if (isTold) tell();
    },
    end: (): void => {
      clearTimeout(timer);
      if (isTold) err.write(eraseLine);
      isTold = false;
    },
  };
};

/**
 * Asks the registry where each version stands, and tells how far it is where that takes time.
 * @throws {RequestError} if it cannot be asked, or what it answers is no answer to that
 */
export const askRegistry = async (
  used: readonly UsedVersion[],
  allow: CheckRequest['allow'],
  { client, terminal }: Session,
): Promise<ReadonlyMap<UsedVersion, Finding>> => {
  const progress = watchProgress(used.length, terminal.err);
  const ask = async (some: readonly UsedVersion[]): Promise<[UsedVersion, Finding][]> => {
    const packages = some.map(({ dependency: { ecosystem, name, version } }) => ({
      ...{ ecosystem, name, version },
    }));
    const answer: unknown = await client.checkPackages({ body: { packages, allow } });
    const checked = readChecked(answer, { packages, allow }).values();
    progress.advance(some.length);
    return some.flatMap((one) => {
      const { value } = checked.next();
      return value ? [[one, toFinding(one, value)] as [UsedVersion, Finding]] : [];
    });
  };
  try {
    return new Map((await runInParallel(splitInto(maxChecked, used), lanes, ask)).flat());
  } finally {
    progress.end();
  }
};

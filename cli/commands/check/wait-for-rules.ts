import { setTimeout as delay } from 'node:timers/promises';
import type { CheckRequest } from '../../../shared/api/schemas/check-request.ts';
import type { Finding, UsedVersion } from '../../../shared/use-cases/dependency-check/findings.ts';
import { exponentialDelay } from '../../../shared/util/retry.ts';
import { withInterruption } from '../../input/interruption.ts';
import { noProgress } from '../../output/progress.ts';
import { formatCount } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { checkVersions } from './check-versions.ts';

/** The delays between two checks: short at first, since most rules decide within seconds. */
const delayMs = exponentialDelay({ firstMs: 1000, longestMs: 5000 });

/** The most versions of one check: rules decide in the order of submission, so that later ones are not ready either. */
const mostAtOnce = 250;

/** What the registry does by itself within minutes; an age, a review and a freeze take longer. */
const soon = ['facts', 'scan', 'rules'] as const;

const soonWords: Readonly<Record<(typeof soon)[number], string>> = {
  facts: 'for upstream metadata',
  scan: 'for a scan',
  rules: 'for rules',
};

interface WaitOptions {
  readonly allow: CheckRequest['allow'];
  /** Time after which the wait ends, in milliseconds. */
  readonly boundMs: number;
}

/** The findings after the wait. */
interface Awaited {
  readonly found: ReadonlyMap<UsedVersion, Finding>;
  /** True if some versions still wait for upstream metadata, a scan or rules. */
  readonly isOverdue: boolean;
}

/** Returns true if the registry has rules. Without rules, people decide on all versions. */
const hasRules = async ({ client }: Session, signal: AbortSignal): Promise<boolean> =>
  (await client.showPolicy({}, { signal })).rules.length > 0;

const describeProgress = (findings: readonly Finding[]): string => {
  const decided = findings.filter(({ status }) => status === 'approved' || status === 'rejected');
  const waiting = soon.flatMap((wait) => {
    const count = findings.filter(({ waits_for }) => waits_for[0] === wait).length;
    return count === 0 ? [] : [`${formatCount(count)} wait ${soonWords[wait]}`];
  });
  return [
    `${formatCount(decided.length)} of ${formatCount(findings.length)} decided`,
    ...waiting,
  ].join(', ');
};

/**
 * Waits until the rules have decided all versions that they can decide, and shows the progress. Versions that wait for their
 * age, a review or the end of a freeze are not waited for.
 * @throws {RequestError} if the registry cannot be reached
 * @throws {InterruptedError} after Ctrl-C
 */
export const waitForRules = async (
  start: ReadonlyMap<UsedVersion, Finding>,
  { allow, boundMs }: WaitOptions,
  session: Session,
): Promise<Awaited> => {
  const end = Date.now() + boundMs;
  const quiet = { ...session, progress: noProgress };
  return withInterruption(async (signal) => {
    const awaited: readonly string[] = (await hasRules(session, signal))
      ? soon
      : soon.filter((wait) => wait !== 'rules');
    const isWaiting = ({ waits_for }: Finding): boolean =>
      waits_for.some((wait) => awaited.includes(wait));
    const found = new Map(start);
    try {
      for (let round = 0; ; round += 1) {
        session.progress.show(describeProgress([...found.values()]));
        const waiting = [...found].filter(([, finding]) => isWaiting(finding));
        if (waiting.length === 0) return { found, isOverdue: false };
        const leftMs = end - Date.now();
        if (leftMs <= 0) return { found, isOverdue: true };
        await delay(Math.min(delayMs(round), leftMs), undefined, { signal });
        const used = waiting.slice(0, mostAtOnce).map(([one]) => one);
        for (const [one, finding] of (await checkVersions(used, allow, quiet)).found) {
          found.set(one, finding);
        }
      }
    } finally {
      session.progress.end();
    }
  });
};

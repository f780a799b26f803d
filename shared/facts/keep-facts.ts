import { anonymous } from '../domain/actor.ts';
import type { CollectedFacts } from '../domain/facts/collected-facts.ts';
import { type FactsSummary, summarizeFacts } from '../domain/facts/summary.ts';
import type { PackageId } from '../domain/package-id.ts';
import { chooseNextAsking } from '../review/asking.ts';
import { changeEvidence, type EvidenceContext } from '../review/change-evidence.ts';
import { type KeptFacts, putFacts } from '../store/reviews/facts.ts';
import { moveFactsDue } from '../store/reviews/facts-due.ts';
import { type Head, readHead } from '../store/reviews/heads.ts';
import { tryToNoteAsking } from './note-asking.ts';

/** What came of asking an origin. */
export interface Answer extends CollectedFacts {
  /** Whether it could not be asked for a reason that may soon be over. */
  readonly passing?: boolean;
}

type FactsContext = Omit<EvidenceContext, 'actor'> & {
  /** After how many hours an origin is asked again that had the version. */
  readonly everyHours: number;
};

/** Whether an origin says what it had said; or nothing, where it had said something. */
const isNews = (head: Head, { facts }: CollectedFacts, { digest }: KeptFacts): boolean =>
  head.facts === null || (head.facts.digest !== digest && facts.found !== 'unknown');

/** What is known with an answer that brings nothing new. */
const confirm = (known: FactsSummary, { facts }: CollectedFacts, now: Date): FactsSummary =>
  facts.found === 'unknown' && known.found !== 'unknown'
    ? known
    : { ...known, newest_version: facts.newest_version, asked_at: now.toISOString() };

/**
 * Keeps what the origin of a version says of it, with all that follows: what decisions see, whether the version needs
 * attention, and when the origin is asked again. An origin that cannot be asked takes nothing back of what it had said.
 */
export const keepFacts = async (
  id: PackageId,
  collected: Answer,
  context: FactsContext,
): Promise<void> => {
  const { now, everyHours } = context;
  const kept = putFacts(id, collected);
  const asks_at = chooseNextAsking(
    { found: collected.facts.found, passing: collected.passing ?? false },
    { now, everyHours },
  );
  const head = await readHead(id);
  if (head.facts && !isNews(head, collected, kept)) {
    const facts = confirm(head.facts, collected, now);
    // Whoever asks at the same moment may keep it from being noted.
    await tryToNoteAsking(id, head, { facts, asks_at }, context.deadline);
    return;
  }
  await changeEvidence(
    id,
    (file) =>
      isNews(file.head, collected, kept)
        ? {
            after: file,
            origin: { facts: summarizeFacts(collected.facts, kept.digest, now), asks_at },
            writes: [kept.write, ...moveFactsDue(id, file.head.asks_at, asks_at)],
          }
        : undefined,
    { ...context, actor: anonymous },
  );
};

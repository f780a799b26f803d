import type { Ecosystem } from '../domain/ecosystem.ts';
import { noFacts } from '../domain/facts/facts.ts';
import type { PackageId } from '../domain/package-id.ts';
import type { Collected } from '../store/reviews/facts.ts';

/** Stands in until the clients of origins are merged. */
export const createOriginClient = (_: {
  readonly addresses: Readonly<Record<Ecosystem, string>>;
  readonly timeoutMs: number;
  readonly deadlineMs?: number;
}) => ({
  collectFacts: async (_id: PackageId): Promise<Collected> => ({
    facts: { ...noFacts, found: 'unknown', reason: 'not yet' },
    manifest: null,
  }),
});

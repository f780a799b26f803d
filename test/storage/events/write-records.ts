import { RegistryError } from '../../../shared/domain/errors.ts';
import { anonymous } from '../../../shared/domain/tokens/actor.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import type { RecordItem } from '../../../shared/storage/decisions/records.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import type { ReviewContext } from '../../../shared/use-cases/review/review-context.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { isInjected } from '../../support/faults.ts';
import type { Random } from '../../support/random.ts';

const dayMs = 24 * 60 * 60_000;

const makeContext = (random: Random): ReviewContext => ({
  actor: anonymous,
  // Some days apart, so that they are counted apart.
  now: new Date(Date.now() + random.below(3) * dayMs),
  deadline: { remainingMs: () => 3000 },
  catalogue: { layout: defaultLayout, shard: 0 },
  remember: () => [],
});

/** Submits or decides on one of a few versions of a few packages; what is refused or goes wrong leaves no record, or one. */
export const writeRecord = async (random: Random): Promise<void> => {
  const id = {
    ecosystem: 'npm',
    name: `package-${random.below(5)}`,
    version: `1.0.${random.below(3)}`,
  } as const;
  const to = random.pick(['approved', 'rejected'] as const);
  const write =
    random.below(2) === 0
      ? submitPackage(id, makeContext(random))
      : decidePackage(id, { to, by: 'ana', reason: 'because' }, makeContext(random));
  await write.catch((error: unknown) => {
    if (!(error instanceof RegistryError) && !isInjected(error)) throw error;
  });
};

/** Records of what never happened: many are there at once. */
export const inventRecords = (count: number): RecordItem[] =>
  Array.from({ length: count }, (_, at) => {
    const time = new Date(Date.UTC(2026, 0, 1 + (at % 3), 0, 0, 0, at)).toISOString();
    return {
      package_key: `npm#invented-${at % 7}`,
      decision_key: `1.0.0 ${time}`,
      moment: `${time} ${at}`,
      id: `record-${at}`,
      at: time,
      ...{ ecosystem: 'npm', name: `invented-${at % 7}`, version: '1.0.0' },
      ...{ type: 'package.approved', by: null, from: 'pending', to: 'approved', reason: null },
      ...{ token_label: null, token_fingerprint: null, waited_seconds: at },
      ...(at % 5 === 0 && { rule: 'a-rule' }),
    };
  });

import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import { isOwnPackage, type OwnPackages } from '../../domain/packages/own-packages.ts';
import { toUnknownFacts } from '../../ecosystems/origin/upstream-answer.ts';
import type { FactsCollection } from './facts-collection.ts';

const unasked =
  'It is one of your own packages: the registry sends no request about it to a public origin.';

/** Facts of a version that was submitted before its name became one of the own packages. */
const unaskedFacts: CollectedFacts = { facts: toUnknownFacts(unasked), manifest: null };

type Questions = Pick<FactsCollection, 'ask' | 'fetchPackageList' | 'findFirstPublication'>;

/** Returns the requests to public origins, without those about the organisation's own packages. */
export const exceptOwnPackages = (
  own: readonly OwnPackages[],
  { ask, fetchPackageList, findFirstPublication }: Questions,
): Questions => ({
  ask: async (id, known) => (isOwnPackage(own, id) ? unaskedFacts : ask(id, known)),
  fetchPackageList: async (id, known) =>
    isOwnPackage(own, id) ? { outcome: 'unlisted', reason: unasked } : fetchPackageList(id, known),
  findFirstPublication: async (id) =>
    isOwnPackage(own, id) ? undefined : findFirstPublication(id),
});

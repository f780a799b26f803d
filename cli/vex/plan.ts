import { isPackageVersion } from '../../shared/domain/packages/package-version.ts';
import { purlTypes, readPurl } from '../../shared/domain/packages/purl.ts';
import { findNarrowing, namesVersion } from '../../shared/domain/packages/purl-narrowing.ts';
import type { AcceptanceScope } from '../../shared/domain/vulnerabilities/acceptance.ts';
import { toScopePrefix } from '../../shared/domain/vulnerabilities/acceptance.ts';
import { foldId } from '../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';
import { groupBy } from '../../shared/util/group-by.ts';
import type { VexClaim } from './claim.ts';
import { connectIds } from './one-vulnerability.ts';

/** What is to be accepted, and why. */
export interface PlannedAcceptance {
  readonly vulnerability: string;
  readonly scope: AcceptanceScope;
  readonly reason: string;
}

/** What is left out, and why. */
export interface LeftOut {
  readonly vulnerability: string;
  readonly product: string | null;
  readonly why: string;
}

export interface VexPlan {
  readonly planned: readonly PlannedAcceptance[];
  readonly leftOut: readonly LeftOut[];
}

const everywhere: AcceptanceScope = { ecosystem: null, name: null, version: null };

const vulnerabilityId = /^[ -~]{1,128}$/;

/** Where it is to be accepted; a text where it cannot be, which says why. */
const findScope = (
  { product, version }: VexClaim,
  acceptEverywhere: boolean,
): AcceptanceScope | string => {
  if (product === null) {
    return acceptEverywhere
      ? everywhere
      : 'names no product; --everywhere accepts it in all packages';
  }
  const purl = readPurl(product);
  if (!purl) return `names no package URL of ${purlTypes.join(', ')} as its product`;
  const { ecosystem, name } = purl;
  const narrowing = findNarrowing(product, ecosystem);
  if (narrowing) return `${narrowing}, which cannot be accepted alone`;
  if (purl.version === undefined && version === undefined) {
    return namesVersion(product)
      ? `names no version that ${ecosystem} can have`
      : { ecosystem, name, version: null };
  }
  const only = purl.version ?? version ?? '';
  return isPackageVersion(ecosystem, only)
    ? { ecosystem, name, version: only }
    : `names no version that ${ecosystem} can have: ${only}`;
};

const planOne = (claim: VexClaim, acceptEverywhere: boolean): PlannedAcceptance | LeftOut => {
  const { vulnerability, product, status, isHarmless, reason } = claim;
  const leave = (why: string): LeftOut => ({ vulnerability, product, why });
  if (!isHarmless) return leave(`says ${status}`);
  if (!vulnerabilityId.test(vulnerability)) return leave('names no vulnerability by an id');
  const scope = findScope(claim, acceptEverywhere);
  return typeof scope === 'string' ? leave(scope) : { vulnerability, scope, reason };
};

/** What names an acceptance, whatever number it gets. */
export const toPlanKey = (vulnerability: string, scope: AcceptanceScope): string =>
  `${foldId(vulnerability)} ${toScopePrefix(scope)}`;

/** Where it does harm: in all versions, where its version cannot be read; undefined where that cannot be known. */
const findHarm = ({ product, version }: VexClaim): AcceptanceScope | undefined => {
  if (product === null) return everywhere;
  const purl = readPurl(product);
  if (!purl) return undefined;
  const { ecosystem, name } = purl;
  const only = purl.version ?? version;
  const isNamed = only !== undefined && isPackageVersion(ecosystem, only);
  return { ecosystem, name, version: isNamed ? only : null };
};

const isWithin = (scope: AcceptanceScope, outer: AcceptanceScope): boolean =>
  outer.version === null
    ? toScopePrefix(scope).startsWith(toScopePrefix(outer))
    : toScopePrefix(scope) === toScopePrefix(outer);

/** Whether a claim does harm in a scope, in a part of it, or around it. */
const harms = (claim: VexClaim, scope: AcceptanceScope): boolean => {
  const harm = findHarm(claim);
  return harm ? isWithin(scope, harm) || isWithin(harm, scope) : scope.ecosystem === null;
};

/** Whether a claim is older than another one about the same product and part: the later one holds instead. */
const isOutdated = (claim: VexClaim, later: VexClaim): boolean =>
  claim.product === later.product && claim.part === later.part && claim.at < later.at;

const explainHarm = ({ vulnerability, status, product }: VexClaim): string =>
  `is contradicted: the document says ${status} of ${vulnerability}${product === null ? '' : ` in ${product}`}`;

interface PlanTerms {
  /** Whether to accept everywhere what names no product. */
  readonly everywhere: boolean;
  /** Ids that mean one vulnerability, each list as the registry knows it. */
  readonly aliases?: readonly (readonly string[])[];
}

/** Returns a function that finds the claim by which a vulnerability is not to be accepted in a scope. */
const findContradictions = (claims: readonly VexClaim[], aliases: PlanTerms['aliases'] = []) => {
  const nameVulnerability = connectIds([
    ...claims.map((claim) => [claim.vulnerability, ...claim.aliases].filter((id) => id !== '')),
    ...aliases,
  ]);
  const harmful = groupBy(
    claims.filter(({ isHarmless }) => !isHarmless),
    (claim) => nameVulnerability(claim.vulnerability),
  );
  return (claim: VexClaim, scope: AcceptanceScope): VexClaim | undefined =>
    harmful
      .get(nameVulnerability(claim.vulnerability))
      ?.find((other) => !isOutdated(other, claim) && harms(other, scope));
};

/**
 * Returns what to accept of what a document says. Left out is what another claim says to be harmful there, in a part of
 * it, or around it: under the same id, or under one that means the same vulnerability by the document or the registry.
 */
export const planAcceptances = (
  claims: readonly VexClaim[],
  { everywhere: acceptEverywhere, aliases }: PlanTerms,
): VexPlan => {
  const planned = new Map<string, PlannedAcceptance>();
  const leftOut: LeftOut[] = [];
  const findContradiction = findContradictions(claims, aliases);
  for (const claim of claims) {
    const plan = planOne(claim, acceptEverywhere);
    if ('why' in plan) {
      leftOut.push(plan);
      continue;
    }
    const { vulnerability, scope } = plan;
    const key = toPlanKey(vulnerability, scope);
    const contradiction = findContradiction(claim, scope);
    if (contradiction) {
      leftOut.push({ vulnerability, product: claim.product, why: explainHarm(contradiction) });
    } else if (!planned.has(key)) planned.set(key, plan);
  }
  return { planned: [...planned.values()], leftOut };
};

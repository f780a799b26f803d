/** Justifications of OpenVEX why a vulnerability does not affect a product. */
export const vexJustifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;
export type VexJustification = (typeof vexJustifications)[number];

/** Words of reasons that are a justification of OpenVEX, or of CycloneDX with an equal meaning. */
const justifications: ReadonlyMap<string, VexJustification> = new Map([
  ...vexJustifications.map((one) => [one, one] as const),
  ['code_not_present', 'vulnerable_code_not_present'],
  ['code_not_reachable', 'vulnerable_code_not_in_execute_path'],
]);

/** The end of the reason of an acceptance that follows a VEX document with the status "not affected". */
const vexSource = /\(VEX by .*\)$/s;

/** Why a vulnerability does not affect a product. At least one field is set. */
export interface NotAffectedReason {
  readonly justification: VexJustification | undefined;
  readonly impact: string | undefined;
}

/**
 * Parses the reason of an acceptance that says that the vulnerability does not affect the product. Such a reason begins
 * with a justification of OpenVEX, or follows a VEX document. Returns undefined for the reason of any other acceptance, which
 * accepts a risk that exists.
 */
export const readNotAffectedReason = (reason: string): NotAffectedReason | undefined => {
  const [, word = '', rest = ''] = /^([a-z_]+)(?:\s*:\s*|\s+|$)(.*)$/s.exec(reason.trim()) ?? [];
  const justification = justifications.get(word);
  if (justification) return { justification, impact: rest.trim() || undefined };
  return vexSource.test(reason) ? { justification: undefined, impact: reason } : undefined;
};

/** A risk that exists, and that somebody accepts until a time. */
export interface AcceptedRisk {
  /** ISO 8601. */
  readonly expires_at: string;
  readonly reason: string;
}

/** Returns the action statement of an accepted risk for OpenVEX: `Risk accepted until 2027-01-31T00:00:00.000Z: Tests only`. */
export const formatAcceptedRisk = ({ expires_at, reason }: AcceptedRisk): string =>
  `Risk accepted until ${expires_at}: ${reason}`;

/** Parses the action statement of an accepted risk. Returns undefined for any other text. */
export const parseAcceptedRisk = (statement: string): AcceptedRisk | undefined => {
  const [, expires_at, reason] =
    /^Risk accepted until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z): (.+)$/s.exec(statement) ??
    [];
  return expires_at === undefined || reason === undefined || Number.isNaN(Date.parse(expires_at))
    ? undefined
    : { expires_at, reason };
};

/** Returns the note of a statement that is valid until a time: `Valid until 2027-01-31T00:00:00.000Z.` */
export const formatValidity = (expires_at: string): string => `Valid until ${expires_at}.`;

/** Splits the notes of a statement into its end and the rest; each is undefined without one. */
export const parseValidity = (
  notes: string,
): { readonly until: string | undefined; readonly rest: string | undefined } => {
  const [whole, rest = '', until] =
    /^(.*?)\s*\bValid until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)\.$/s.exec(notes) ?? [];
  return whole === undefined || until === undefined || Number.isNaN(Date.parse(until))
    ? { until: undefined, rest: notes }
    : { until, rest: rest || undefined };
};

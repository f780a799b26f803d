/** What a VEX document says of one vulnerability in one product. */
export interface VexClaim {
  readonly vulnerability: string;
  /** Other ids of the vulnerability, as the document says. */
  readonly aliases: readonly string[];
  /** The package URL of the product, or how else it is named; null where none is. */
  readonly product: string | null;
  /** The version, where it is not in the package URL. */
  readonly version?: string | undefined;
  /** The part of the product that the claim is about, in whatever form the document names it. */
  readonly part?: string | undefined;
  /** When the document said so, in milliseconds. A claim that harms is of the latest time if the document names none. */
  readonly at: number;
  /** As the document says it. */
  readonly status: string;
  /** Whether that means that the product is not harmed. */
  readonly isHarmless: boolean;
  /** Why, as far as the document says. */
  readonly reason: string;
}

/** As long as the reason of an acceptance may be. */
const maxReasonLength = 2000;

/** `vulnerable_code_not_present: It is compiled out (VEX by Acme)`. */
export const joinReason = (parts: readonly (string | undefined)[], source: string): string => {
  const text = parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(': ');
  const end = ` (${source})`;
  return `${text.slice(0, maxReasonLength - end.length).toWellFormed()}${end}`;
};

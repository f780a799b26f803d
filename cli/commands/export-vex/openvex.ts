import packageJson from '../../../package.json' with { type: 'json' };
import { formatPurl } from '../../../shared/domain/packages/format-purl.ts';
import {
  formatAcceptedRisk,
  formatValidity,
  readNotAffectedReason,
} from '../../../shared/domain/vulnerabilities/vex-text.ts';
import { digest } from '../../../shared/util/checksums.ts';
import { compareOrder } from '../../../shared/util/compare-order.ts';
import { serviceName } from '../../../shared/util/service-name.ts';
import type { ActiveAcceptance } from './active-acceptances.ts';
import type { VexSubject } from './load-statements.ts';

/** A statement of OpenVEX 0.2.0. */
interface Statement {
  readonly vulnerability: { readonly name: string; readonly aliases?: readonly string[] };
  readonly timestamp: string;
  readonly products: readonly {
    readonly '@id': string;
    readonly identifiers: { readonly purl: string };
  }[];
  readonly status: 'not_affected' | 'affected';
  readonly status_notes?: string;
  readonly justification?: string;
  readonly impact_statement?: string;
  readonly action_statement?: string;
  readonly action_statement_timestamp?: string;
}

/** A document of OpenVEX 0.2.0: https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md */
export interface OpenVexDocument {
  readonly '@context': 'https://openvex.dev/ns/v0.2.0';
  readonly '@id': string;
  readonly author: string;
  readonly timestamp: string;
  readonly version: 1;
  readonly tooling: string;
  readonly statements: readonly Statement[];
}

/** Returns the status with what it needs: a reason why it is harmless, or the acceptance of a risk that exists. */
const describeStatus = ({ reason, expires_at, at }: ActiveAcceptance) => {
  const harmless = readNotAffectedReason(reason);
  if (harmless) {
    const { justification, impact } = harmless;
    return {
      status: 'not_affected',
      ...(justification && { justification }),
      ...(impact !== undefined && { impact_statement: impact }),
    } as const;
  }
  return {
    status: 'affected',
    action_statement: formatAcceptedRisk({ expires_at, reason }),
    action_statement_timestamp: at,
  } as const;
};

/** Says that an acceptance covers more than the products of its statement. */
const describeScope = ({ ecosystem, name }: ActiveAcceptance): string | undefined => {
  if (name !== null) return undefined;
  const where = ecosystem === null ? 'in all packages' : `in all packages of ${ecosystem}`;
  return `The acceptance applies ${where}. The products are the known versions with the vulnerability.`;
};

const toStatement = ({ acceptance, id, aliases, products }: VexSubject): Statement => {
  const { status, ...grounds } = describeStatus(acceptance);
  // The action statement of an accepted risk has the end already.
  const end = status === 'not_affected' ? formatValidity(acceptance.expires_at) : undefined;
  const notes = [describeScope(acceptance), end].filter((note) => note !== undefined).join(' ');
  const purls = [...new Set(products.map((product) => formatPurl(product)))].toSorted(compareOrder);
  return {
    vulnerability: { name: id, ...(aliases.length > 0 && { aliases }) },
    timestamp: acceptance.at,
    products: purls.map((purl) => ({ '@id': purl, identifiers: { purl } })),
    status,
    ...(notes !== '' && { status_notes: notes }),
    ...grounds,
  };
};

/** Returns the first package URL of a statement. Every statement has one. */
const firstProduct = ({ products: [first] }: Statement): string => first?.['@id'] ?? '';

const compareStatements = (one: Statement, other: Statement): number =>
  compareOrder(one.vulnerability.name, other.vulnerability.name) ||
  compareOrder(firstProduct(one), firstProduct(other)) ||
  compareOrder(one.timestamp, other.timestamp);

/** What a document says besides its statements. */
interface DocumentTerms {
  /** The address of the registry. */
  readonly url: string;
  readonly author: string;
  readonly now: Date;
}

/**
 * Writes acceptances as an OpenVEX document. A risk that exists is `affected`, with the acceptance as its action. It is
 * `not_affected` only if the reason of the acceptance says so. Equal statements have an equal `@id`.
 * @param subjects acceptances with at least one product
 */
export const writeOpenVex = (
  subjects: readonly VexSubject[],
  { url, author, now }: DocumentTerms,
): OpenVexDocument => {
  const statements = subjects.map(toStatement).toSorted(compareStatements);
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `${url.replace(/\/+$/, '')}/vex/${digest('sha256', JSON.stringify([author, statements]))}`,
    author,
    timestamp: now.toISOString(),
    version: 1,
    tooling: `${serviceName} ${packageJson.version}`,
    statements,
  };
};

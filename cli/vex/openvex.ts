import * as z from 'zod';
import { joinReason, type VexClaim } from './claim.ts';

const Product = z.union([
  z.string(),
  z.looseObject({
    '@id': z.string().optional(),
    identifiers: z.looseObject({ purl: z.string().optional() }).optional(),
    subcomponents: z.array(z.unknown()).optional(),
  }),
]);
type Product = z.infer<typeof Product>;

const Statement = z.looseObject({
  vulnerability: z.union([
    z.string(),
    z.looseObject({
      name: z.string().optional(),
      '@id': z.string().optional(),
      aliases: z.array(z.string()).nullish(),
    }),
  ]),
  products: z.array(Product).default([]),
  status: z.string(),
  justification: z.string().optional(),
  impact_statement: z.string().optional(),
  status_notes: z.string().optional(),
  timestamp: z.string().optional(),
});
type Statement = z.infer<typeof Statement>;

/** OpenVEX 0.2.0, and 0.0.1, whose products are bare texts. */
const Document = z.looseObject({
  '@context': z.string().startsWith('https://openvex.dev/ns'),
  author: z.string().default('an unnamed author'),
  timestamp: z.string().optional(),
  statements: z.array(Statement),
});

export const isOpenVex = (document: object): boolean =>
  '@context' in document && String(document['@context']).startsWith('https://openvex.dev/ns');

const nameVulnerability = ({ vulnerability }: Statement): string =>
  typeof vulnerability === 'string'
    ? vulnerability
    : (vulnerability.name ?? vulnerability['@id'] ?? '');

const listAliases = ({ vulnerability }: Statement): string[] =>
  typeof vulnerability === 'string'
    ? []
    : [vulnerability['@id'], ...(vulnerability.aliases ?? [])].filter((id) => id !== undefined);

const harmless = 'not_affected';

/** When a statement was made. One whose time cannot be read makes nothing harmless that another one calls harmful. */
const readTime = ({ timestamp, status }: Statement, ofDocument: string): number => {
  const at = Date.parse(timestamp ?? ofDocument);
  if (!Number.isNaN(at)) return at;
  return status === harmless ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
};

const nameProduct = (product: Product): string =>
  typeof product === 'string' ? product : (product.identifiers?.purl ?? product['@id'] ?? '');

const nameParts = (product: Product | undefined): string | undefined => {
  if (typeof product !== 'object' || !product.subcomponents?.length) return undefined;
  const { data = [] } = z.array(Product).safeParse(product.subcomponents);
  return `in ${data.map(nameProduct).join(', ')}`;
};

/**
 * What an OpenVEX document says. Of statements on the same vulnerability in the same product, and in the same parts of it,
 * the latest holds, and of these the last.
 * @throws {z.ZodError} for what is no such document
 */
export const readOpenVex = (document: object): VexClaim[] => {
  const { author, timestamp = '', statements } = Document.parse(document);
  const claims = statements.flatMap((statement) => {
    const at = readTime(statement, timestamp);
    const { status, justification, impact_statement, status_notes } = statement;
    const products: (Product | undefined)[] =
      statement.products.length > 0 ? statement.products : [undefined];
    return products.map((product) => {
      const name = product === undefined ? null : nameProduct(product);
      const subcomponents = typeof product === 'object' ? product.subcomponents : undefined;
      const part = JSON.stringify(subcomponents ?? []);
      const claim = {
        vulnerability: nameVulnerability(statement),
        aliases: listAliases(statement),
        product: name,
        part,
        at,
        status,
        isHarmless: status === harmless,
        reason: joinReason(
          [justification, nameParts(product), impact_statement, status_notes],
          `VEX by ${author}`,
        ),
      };
      return { claim, key: JSON.stringify([claim.vulnerability, name, part]) };
    });
  });
  const latest = new Map<string, VexClaim>();
  for (const { claim, key } of claims) {
    const known = latest.get(key);
    if (!known || known.at <= claim.at) latest.set(key, claim);
  }
  return [...latest.values()];
};

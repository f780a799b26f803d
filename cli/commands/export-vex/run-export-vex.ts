import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { UsageError } from '../../input/usage-error.ts';
import { refuseLost } from '../../many/all-events.ts';
import { formatJson } from '../../output/json.ts';
import { writeResultFile } from '../../output/result-file.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { loadSubjects, type VexSubject } from './load-statements.ts';
import { type OpenVexDocument, writeOpenVex } from './openvex.ts';

/** The flags of the command. */
interface ExportFlags {
  readonly ecosystem?: Ecosystem;
  readonly author?: string;
  readonly file?: string;
}

const hasProducts = ({ products }: VexSubject): boolean => products.length > 0;

/** Warns of acceptances that apply to no known version, which a document cannot express. */
const warnOfEmpty = (subjects: readonly VexSubject[], { terminal }: Session): void => {
  const empty = subjects.filter((subject) => !hasProducts(subject));
  if (empty.length === 0) return;
  const named = empty.map(({ acceptance: { id, number } }) => `${id} ${number}`).join(', ');
  terminal.warn(
    toOneLine(
      `Left out, because no known version has the vulnerability and OpenVEX needs a product: ${named}.`,
    ),
  );
};

const describeResult = ({ statements }: OpenVexDocument): string => {
  const harmless = statements.filter(({ status }) => status === 'not_affected').length;
  return `${formatCount(statements.length)} ${statements.length === 1 ? 'statement' : 'statements'}: ${harmless} not affected, ${statements.length - harmless} affected with an accepted risk.`;
};

/**
 * Writes the acceptances in force as an OpenVEX document.
 * @throws {NegativeResultError} if there is none, or if the registry has lost events
 */
export const runExportVex = async (flags: JsonObject, session: Session): Promise<void> => {
  const { ecosystem, author, file } = flags as ExportFlags;
  const { terminal, settings, format } = session;
  if (format === 'jsonl' || format === 'name') {
    throw new UsageError('A VEX document is one JSON document.');
  }
  const now = new Date();
  const url = settings.url.value;
  await writeResultFile(file, terminal, async (write) => {
    const { subjects, lost } = await loadSubjects({ ecosystem, now }, session);
    // A lost event may have ended an acceptance, or made one.
    if (lost.length > 0) throw refuseLost(lost);
    warnOfEmpty(subjects, session);
    const stated = subjects.filter(hasProducts);
    if (stated.length === 0) {
      throw new NegativeResultError('There is no active risk acceptance to export.');
    }
    const document = writeOpenVex(stated, { url, author: author ?? url, now });
    write(`${formatJson(document, 2)}\n`);
    terminal.err.write(`${describeResult(document)}\n`);
  });
};

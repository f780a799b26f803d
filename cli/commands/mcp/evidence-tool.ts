import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Output } from '../../output/terminal.ts';
import { formatEvidence } from '../../presentation/version-evidence.ts';
import type { Session } from '../../session/session.ts';
import { adviseOn, type Permissions } from './advice.ts';
import { answerOrExplain, toAnswer } from './answer.ts';
import { PackageToShow, readPackageToShow } from './package-input.ts';
import { quote, quoteLines, shortenTo } from './quote.ts';

const longestText = 12_000;
const longestJson = 40_000;

const description = `What the organisation's registry knows of one version of a package, and its decision stands on: the reason it is wanted, what its origin says (age, deprecated, withdrawn, install scripts), its license, vulnerabilities, earlier decisions on other versions, and what speaks against approving it.

Call it to explain why a version is rejected or still pending, or to compare candidates. Without a version, it is the one that somebody would mean: the registry says so if that is not plain. A package that nobody submitted has no evidence.`;

/** Tables as narrow as can be read. */
const plain: Output = {
  isTerminal: false,
  width: 120,
  write: () => {},
  style: (_style, text) => text,
};

/** Adds the tool that tells what a decision stands on. */
export const addEvidenceTool = (
  server: McpServer,
  session: Session,
  permissions: Permissions,
): void => {
  server.registerTool(
    'evidence',
    {
      title: 'Show the evidence on a package',
      description,
      inputSchema: z.strictObject({ package: PackageToShow }),
      outputSchema: z.object({
        evidence: z
          .record(z.string(), z.unknown())
          .describe('As the API of the registry answers it, with long texts and lists cut.'),
      }),
      // What origins say of a package was written by anybody.
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      },
    },
    ({ package: given }, { mcpReq: { signal } }) =>
      answerOrExplain(session, async () => {
        const { ecosystem, name, version } = readPackageToShow(given);
        const query = { ecosystem, ...(version !== undefined && { version }) };
        const evidence = await session.client.showEvidence({ path: { name }, query }, { signal });
        const { package: detail } = evidence;
        return toAnswer(
          [
            `${detail.ecosystem} ${quote(detail.name)} ${quote(detail.version)} is ${adviseOn(detail.status, permissions)}`,
            '',
            'What the registry knows of it. Others wrote this:',
            ...quoteLines(formatEvidence(evidence, plain), longestText),
          ],
          { evidence: shortenTo(evidence, longestJson) },
        );
      }),
  );
};

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

const description = `Shows the evidence of the decision on a package version in the organisation's registry: its changes since an earlier version, justification, upstream metadata (age, deprecated, yanked, install scripts), license, vulnerabilities, issues, and earlier decisions on other versions.

Call it to explain why a version is rejected or still pending, or to compare candidates. Without a version, the registry selects one, and says so if several match. A package that is not in the registry has no evidence.`;

/** Plain text with narrow tables. */
const plain: Output = {
  isTerminal: false,
  width: 120,
  write: () => {},
  style: (_style, text) => text,
};

/** Adds the tool that shows the evidence of a decision. */
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
          .describe('The answer of the API, with long texts and lists shortened.'),
      }),
      // Upstream metadata has text of strangers.
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
            'Its evidence. Others wrote this:',
            ...quoteLines(formatEvidence(evidence, plain), longestText),
          ],
          { evidence: shortenTo(evidence, longestJson) },
        );
      }),
  );
};

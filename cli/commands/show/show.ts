import { Option } from 'commander';
import * as routes from '../../../shared/api/routes.ts';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { buildInput } from '../../framework/build-input.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { packageDescription } from '../../framework/flag-descriptions.ts';
import { readNamedPackage } from '../../framework/named-package.ts';
import { packagesArgument } from '../../framework/positionals.ts';
import { type Call, describeRoute } from '../../framework/route-description.ts';
import { callOperation, sendNamedRequest, sendRequest } from '../../framework/send-request.ts';
import { UsageError } from '../../input/usage-error.ts';
import { openPage } from '../../output/open-page.ts';
import { type View, writeResult } from '../../output/result.ts';
import { toOneLine, wrap } from '../../output/text.ts';
import { announce, describeStatus, toConsoleAddress } from '../../presentation/announce.ts';
import { formatEvidence } from '../../presentation/version-evidence.ts';
import { describeRelated } from './related-versions.ts';
import { areSeveral, showSeveral } from './show-several.ts';

const evidence = describeRoute('showEvidence', { view: { formatAnswer: formatEvidence } });

const readVersion = (named: Call<'showPackage'>): Promise<PackageDetail> =>
  callOperation(named, buildInput(named.described, named, undefined));

/** Shows a version, and for people also other versions that they may have meant. */
const showOne = async (call: Call<'showPackage'>, view: View<PackageDetail>): Promise<void> => {
  const named = { ...call, ...readNamedPackage(call.described, call) };
  const { client, terminal, format } = call.session;
  if (format !== 'people') {
    await sendNamedRequest(named, { view });
    return;
  }
  const shown = await readVersion(named);
  const related = await describeRelated(client, shown, named);
  const lines = related.flatMap((line) => wrap(toOneLine(line), terminal.out.width));
  if (lines.length > 0) terminal.out.write(`${lines.join('\n')}\n\n`);
  writeResult(shown, terminal, { ...view, format });
};

/** @throws {UsageError} for several packages */
const openVersion = async (call: Call<'showPackage'>): Promise<void> => {
  const { session, described } = call;
  if (areSeveral(call.arguments)) throw new UsageError('--web is for one package.');
  const detail = await readVersion({ ...call, ...readNamedPackage(described, call) });
  await openPage(toConsoleAddress(session, detail), session.terminal);
};

export const show = defineCommand('showPackage', {
  name: 'show',
  aliases: ['view'],
  examples: [
    'show lodash',
    'show @types/node@24.0.0',
    'show org.slf4j:slf4j-api',
    'show nginx:1.27.3',
    'show lodash@4.17.21 left-pad@1.3.0',
    'show left-pad@1.3.0 --evidence',
    'show left-pad@1.3.0 --web',
    'show lodash --evidence --json',
  ],
  positionals: [
    packagesArgument('<package...>', `${packageDescription}; - for one a line on standard input`),
  ],
  options: [
    new Option('--evidence', routes.showEvidence.summary),
    new Option('-w, --web', 'open its page in the review console, in the browser'),
  ],
  run: async (call) => {
    const isEvidence = call.flags['evidence'] === true;
    const view = announce(call.session, describeStatus);
    const chosen: Call = isEvidence
      ? { ...call, routeName: 'showEvidence', described: evidence }
      : { ...call, described: { ...call.described, view } };
    if (call.flags['web']) await openVersion(call);
    else if (areSeveral(call.arguments))
      await showSeveral(chosen, isEvidence ? 'evidence' : 'package');
    else if (isEvidence) await sendRequest(chosen);
    else await showOne(call, view);
  },
});

import { pages } from '../shared/api/non-api-routes.ts';
import { readFileRules } from '../shared/api/settings/env.ts';
import { serveNpm } from '../shared/ecosystems/npm/gate/serve-npm.ts';
import { gate } from '../shared/platform/http/gate-endpoint.ts';
import { readHeader } from '../shared/platform/http/gateway-request.ts';

const abbreviated = 'application/vnd.npm.install-v1+json';

/** Clients that know the short form of a packument ask for it; both say the same. */
const chooseType = (accept: readonly string[]): string =>
  accept.some((value) => value.includes(abbreviated)) ? abbreviated : 'application/json';

export const handler = gate(pages.serveNpm, async ({ path, base, event, now }) => {
  const answer = await serveNpm(path, { base, files: readFileRules('npm'), now });
  if ('location' in answer) return answer;
  const contentType = chooseType(readHeader(event, 'Accept'));
  return { text: JSON.stringify(answer.document), contentType };
});

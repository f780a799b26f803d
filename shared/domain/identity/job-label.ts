import { longestIdentity } from '../../util/characters.ts';

/** Beginning of the labels of CI jobs. A label of the token list has no colon, so none can look like this. */
export const jobPrefix = 'ci:';

/** The path of a repository, such as `acme/shop`, with the host of its issuer before it where there are several. */
const repositoryPath = /^[A-Za-z0-9._-]+(?::\d+)?(?:\/[A-Za-z0-9._-]+)+$/;

/** True if a text is the label of a CI job: `ci:` and the path of a repository. */
export const isJobLabel = (text: string): boolean =>
  text.startsWith(jobPrefix) &&
  text.length <= longestIdentity &&
  repositoryPath.test(text.slice(jobPrefix.length));

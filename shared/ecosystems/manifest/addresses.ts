import hostedGitInfo from 'hosted-git-info';

/** Returns the text as a URL without user and password; undefined if it is no URL with an allowed protocol. */
const toAddress = (text: string | undefined, protocols: RegExp): string | undefined => {
  if (!text || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!protocols.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  return url.href === `${text}/` ? text : url.href;
};

/** Returns the HTTP or HTTPS URL of a homepage; undefined for any other text. */
export const toHomepage = (text: string | undefined): string | undefined =>
  toAddress(text, /^https?:$/);

/**
 * Returns the URL of a source repository; undefined for any other text. Also accepts npm's short forms, such as
 * `github:owner/name`, and `git@host:owner/name`.
 */
export const toRepository = (text: string | undefined): string | undefined => {
  const hosted = text ? hostedGitInfo.fromUrl(text.replace(/^scm:[^:]+:/, '')) : undefined;
  return (
    toAddress(text, /^(git\+)?https?:$/) ??
    hosted?.https({ noCommittish: true, noGitPlus: true }) ??
    toAddress(text, /^(git|git\+ssh|ssh):$/)
  );
};

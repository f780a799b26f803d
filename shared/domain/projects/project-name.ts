import { refuseInvalid } from '../errors.ts';

const maxProjectLength = 100;
const maxRefLength = 200;

const projectPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** The name of a branch or tag in Git has no blanks. */
const refPattern = /^[!-~]+$/;

/** Completes the sentence "The name of a project …". */
export const projectNameRule = `must be parts of letters, digits, ".", "_" and "-", joined by "/", such as shop or acme/shop, at most ${maxProjectLength} characters`;

/** Completes the sentence "The ref …". */
export const refRule = `must be the name of a branch or tag, such as main: ASCII without blanks, at most ${maxRefLength} characters`;

/** True if the text can name a project. */
export const isProjectName = (text: string): boolean =>
  text.length <= maxProjectLength && projectPattern.test(text);

/** True if the text can name a ref. */
export const isRef = (text: string): boolean =>
  text.length <= maxRefLength && refPattern.test(text);

/**
 * Checks that a text can name a project.
 * @throws {RegistryError} 400 otherwise
 */
export const checkProjectName = (text: string): void => {
  if (!isProjectName(text)) throw refuseInvalid('project', projectNameRule);
};

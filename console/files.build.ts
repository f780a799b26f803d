import { bundle } from './bundle.ts';

/** The files of the console. */
export default bundle.files;

import { bundle } from './bundle.ts';

/** What the page of the console loads. */
export default bundle.files;

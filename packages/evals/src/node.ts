export { reportPage } from './report/report-page.js';

export { operating } from './operator.feature.js';
export { RecordRepairs } from './repairs/record-repairs.js';
export { LogStatistics } from './stats/log-statistics.js';

export { realm } from './realm.feature.js';
export { RecordUpgrade } from './record-upgrade.js';

import { describeOnMongo } from '#testing';
import { describeDecidedCommits } from './decided-commits.contract.js';

describeOnMongo('MongoDB', describeDecidedCommits);

import { describeOnMongo } from '#testing';
import { describeInterruptions } from './mongo-faults.contract.js';

describeOnMongo('MongoDB', (server) => describeInterruptions(server, 7));

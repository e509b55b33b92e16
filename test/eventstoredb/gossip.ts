import type { handleUnaryCall } from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { CallFailure } from './errors.js';

/** A node's view of a member of its cluster. */
export interface Member {
  readonly id: string;
  readonly port: number;
  readonly state: 'leader' | 'follower' | 'unknown';
  readonly isAlive: boolean;
}

/** A node's part in its cluster. */
export interface Membership {
  /** Why the node refuses a call, if it does. */
  refusal(requiresLeader: boolean): CallFailure | undefined;
  members(): readonly Member[];
}

const { VNodeState } = gossip.MemberInfo;
const STATES = { leader: VNodeState.LEADER, follower: VNodeState.FOLLOWER, unknown: VNodeState.UNKNOWN };

/** Gossip.Read: a node's view of all members. */
export function serveGossip(
  refusal: () => CallFailure | undefined,
  members: () => readonly Member[],
): handleUnaryCall<shared.Empty, gossip.ClusterInfo> {
  return (_call, respond) => {
    const refused = refusal();
    if (refused) {
      respond(refused);
      return;
    }
    const info = new gossip.ClusterInfo();
    for (const member of members()) info.addMembers(memberInfo(member));
    respond(null, info);
  };
}

function memberInfo({ id, port, state, isAlive }: Member): gossip.MemberInfo {
  const info = new gossip.MemberInfo();
  const instance = new shared.UUID();
  instance.setString(id);
  info.setInstanceId(instance);
  info.setTimeStamp(`${Date.now()}0000`);
  info.setState(STATES[state]);
  info.setIsAlive(isAlive);
  const at = new gossip.EndPoint();
  at.setAddress('127.0.0.1');
  at.setPort(port);
  info.setHttpEndPoint(at);
  return info;
}

import { relationSuite } from './relation-suite.ts'

relationSuite(
  'counted',
  `
  type Team @document(container: "teams") {
    id: ID!
    countOfPlayers: Int! @counted(relation: "players")
    games: Int! @counted(relation: "playedIn", at: "gameCount")
    players: PlayerConnection! @reverse(of: "Player.team")
    playedIn: [Game!]! @reference(at: "games")
  }
  type Player @document(container: "players") { id: ID! team: Team @reference(at: "teamId") }
  type Game @document(container: "games") { id: ID! }
  `,
  {
    Team: [{ id: 't1', countOfPlayers: 2, gameCount: 1, games: ['g1'] }, { id: 't2', countOfPlayers: 0, gameCount: 0, games: [] }],
    Player: [{ id: 'p1', teamId: 't1' }, { id: 'p2', teamId: 't1' }],
    Game: [{ id: 'g1' }],
  },
  {
    'a count of other documents is answered from the stored number': {
      query: '{ teams { nodes { countOfPlayers } } }',
      answer: { teams: { nodes: [{ countOfPlayers: 2 }, { countOfPlayers: 0 }] } },
      reads: ['1 query teams'],
      naive: 3,
    },
    'without the stored number, all parents are counted in one round trip': {
      query: '{ teams { nodes { countOfPlayers @read(from: REFERENCE) } } }',
      answer: { teams: { nodes: [{ countOfPlayers: 2 }, { countOfPlayers: 0 }] } },
      reads: ['1 query teams', '2 count players 2'],
      naive: 3,
    },
    'a count of a list in the same document is never a snapshot': {
      query: '{ teams { nodes { games } } }',
      answer: { teams: { nodes: [{ games: 1 }, { games: 0 }] } },
      reads: ['1 query teams'],
      naive: 1,
    },
  },
)

/* Vienna (games/vienna/vienna.rules, base game, default options) played by drawing evenly among the options, written by
 * hand: how fast a game of this size can be simulated at all. It is the limit that compiled rules are measured against.
 *
 *     cc -O2 -o vienna vienna.c
 *     ./vienna PLAYERS GAMES SEED            figures of the run as JSON
 *     ./vienna PLAYERS GAMES SEED records    a line of numbers for each game, for tests of equal distribution
 *     cc -O2 -DTRACE ...                     also every decision with all its options, and all that chance brings
 *     cc -O2 -DLISTS ...                     writes the options of every move into an array and takes one from there
 *
 * `compare.py` holds the records against games of the interpreter, and leads the interpreter through the trace.
 *
 * What makes it fast, and what compiled rules may not know: own dice of a player are alike, so there are few hands, and
 * what can be done with each stands in a table; fields are bits, grouped by the value they need, so placements are
 * counted without being written down, and only the one that is taken is made; the state is a plain struct, chance and
 * policy are function calls, and nothing is logged. C11, and a built-in that gcc and clang have.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef TRACE
enum { TRACING = 1 };
#else
enum { TRACING = 0 };
#endif
#ifdef LISTS
enum { LISTING = 1 };
#else
enum { LISTING = 0 };
#endif

/* ------------------------------------------------------------------------------------------------------- the material
 * A set of fields is a word with four bits for each value that a field may need (1..12, a double, anything), so the
 * fields of one value are a lane of bits, and the order of the bits is the order of the street. */
#define FIELDS(X)                                                                                                      \
    X(KRIEAU, 0, "krieau") X(PRATER, 1, "prater") X(SECESSION, 4, "secession") X(OPER, 5, "oper")                      \
    X(NASCHMARKT, 8, "naschmarkt") X(CAFE_CENTRAL, 9, "cafe_central") X(HELDENPLATZ, 12, "heldenplatz")                \
    X(PARLAMENT, 13, "parlament") X(BURGTHEATER, 16, "burgtheater") X(RATHAUS, 17, "rathaus")                          \
    X(UNIVERSITAET, 18, "universitaet") X(LANDTMANN, 20, "landtmann") X(HOFREITSCHULE, 21, "hofreitschule")            \
    X(POSTSPARKASSE, 22, "postsparkasse") X(KARLSKIRCHE, 24, "karlskirche") X(ALBERTINA, 25, "albertina")              \
    X(HOFBURG, 26, "hofburg") X(PESTSAEULE, 28, "pestsaeule") X(STEPHANSDOM, 32, "stephansdom")                        \
    X(BELVEDERE, 36, "belvedere") X(SCHOENBRUNN, 40, "schoenbrunn") X(GLORIETTE, 44, "gloriette")                      \
    X(TIERGARTEN, 48, "tiergarten") X(HEURIGER, 49, "heuriger") X(GEHEIMBUND, 52, "geheimbund")

#define FIELD_NUMBER(field, bit, name) field = bit,
#define FIELD_BIT(field, bit, name) | UINT64_C(1) << bit
#define FIELD_NAME(field, bit, name) [bit] = name,
enum field { FIELDS(FIELD_NUMBER) FIELD_BITS };
static const char *const field_names[FIELD_BITS] = {FIELDS(FIELD_NAME)};

#define ONE(field) (UINT64_C(1) << (field))
#define LANE(value) (UINT64_C(15) << 4 * ((value)-1))
#define ALL_FIELDS (UINT64_C(0) FIELDS(FIELD_BIT))
#define STREET (ALL_FIELDS & ~ONE(GEHEIMBUND))
#define DOUBLES LANE(13)
#define ANYTHING LANE(14)

enum { SEATS = 5, TARGET = 25, CAP = 60, COINS = 25, STARTS = 6, CHARACTERS = 22, CHARACTER_CARDS = 2 * CHARACTERS };
enum special { START_PLAYER, DOUBLE_MOVE, DICE_JOKER, MORE_INFLUENCE, ADDITIONAL_DIE, SPECIALS };

/* How often a player, or a card, has each of the three symbols: a byte each. 44 cards cannot fill one. */
typedef uint32_t symbols;
enum symbol { CITIZEN, CROSS, CROWN, SYMBOLS };
#define SYM(citizens, crosses, crowns) ((citizens) | (crosses) << 8 | (symbols)(crowns) << 16)
static const char *const symbol_names[SYMBOLS] = {"citizen", "cross", "crown"};

static const struct { uint8_t coins; symbols symbols; } start_cards[STARTS] = {
    {3, SYM(1, 0, 0)}, {3, SYM(0, 1, 0)}, {3, SYM(0, 0, 1)}, {2, SYM(1, 1, 0)}, {2, SYM(0, 1, 1)}, {2, SYM(1, 0, 1)},
};
static const symbols characters[CHARACTERS] = {
    SYM(1, 0, 0), SYM(0, 1, 0), SYM(0, 0, 1), SYM(2, 0, 0), SYM(0, 2, 0), SYM(0, 0, 2), SYM(3, 0, 0), SYM(0, 3, 0),
    SYM(0, 0, 3), SYM(1, 1, 0), SYM(0, 1, 1), SYM(1, 0, 1), SYM(2, 1, 0), SYM(2, 0, 1), SYM(1, 2, 0), SYM(0, 2, 1),
    SYM(1, 0, 2), SYM(0, 1, 2), SYM(2, 2, 0), SYM(0, 2, 2), SYM(2, 0, 2), SYM(1, 1, 1),
};

/* -------------------------------------------------------------------------------------------------------- the state */
struct player {
    uint16_t hand;     /* own dice, rolled and not yet placed: a number in `hands` */
    uint8_t white;     /* the face of the white die if he still has it, else 0 */
    uint8_t coach;     /* his last field on the street in this round; 0, before which nothing lies, at its start */
    uint8_t coins;
    uint8_t specials;  /* the number of his special cards */
    uint16_t points;
    bool rolled;       /* whether he had a turn in this round */
    bool joker;        /* whether he has the dice joker: a table is indexed by it */
    uint8_t compared;  /* the symbols he compared in this evaluation, as bits */
    symbols symbols;   /* on his start card, his characters and More influence */
};

enum { SIZES = 40 };

struct game {
    uint64_t random;
    uint64_t taken;                 /* street fields with dice or the Gendarme */
    uint64_t occupied;              /* street fields with dice */
    uint8_t players, dice_each, bank;
    uint8_t holders[SPECIALS];      /* who has each special card; SEATS: nobody */
    bool double_move_used;          /* in this round */
    uint8_t rounds;
    struct player seats[SEATS];
    uint8_t occupants[FIELD_BITS];  /* of the occupied fields */

    /* The characters. Nothing is known of the order of `deck`, so a card is drawn from anywhere in it; below lies
     * `under`, a ring, whose order is known. */
    uint8_t deck_count, under_first, under_count, open_count, discard_count;
    uint32_t open_kinds;
    uint8_t deck[CHARACTER_CARDS], under[64], open[SEATS - 1], discard[CHARACTER_CARDS];

    /* What is counted of a game. */
    uint32_t decisions, forced;
    uint16_t sizes[SIZES];          /* decisions by class of the number of options */
};

/* ------------------------------------------------------------------------------------------------ chance and policy */
static uint64_t mix(uint64_t x) /* the output function of SplitMix64 */
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

/* A number below `count`, all equally likely: Lemire's multiplication, with the rejection that makes it exact. */
static inline uint32_t below(struct game *g, uint32_t count)
{
    uint64_t product = (mix(g->random += GOLDEN) >> 32) * count;
    if ((uint32_t)product < count) {
        uint32_t unfair = -count % count;
        while ((uint32_t)product < unfair) product = (mix(g->random += GOLDEN) >> 32) * count;
    }
    return (uint32_t)(product >> 32);
}

static uint8_t size_classes[1024];

/* The policy. The only option is taken without a random number. */
static inline uint32_t decide(struct game *g, uint32_t options)
{
    g->decisions++;
    g->sizes[size_classes[options]]++;
    if (options == 1) {
        g->forced++;
        return 0;
    }
    return below(g, options);
}

/* In a trace, a decision: seat, index taken, all options; `SAY` prints the option with the index `k`. */
#define TELL(seat, taken, options, SAY)                                                                                \
    if (TRACING) {                                                                                                     \
        printf("? %d %u", (int)(seat), (unsigned)(taken));                                                             \
        for (uint32_t k = 0; k < (options); k++) {                                                                     \
            putchar('|');                                                                                              \
            SAY;                                                                                                       \
        }                                                                                                              \
        putchar('\n');                                                                                                 \
    }

/* ---------------------------------------------------------------------------------------------------------- helpers */
static inline uint32_t nth_bit(uint64_t set, uint32_t n)
{
    while (n--) set &= set - 1;
    return (uint32_t)__builtin_ctzll(set);
}

/* The number of fields in each lane of a set; a lane has at most three. */
static inline uint64_t lane_counts(uint64_t set)
{
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    return (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
}

static inline uint32_t total(uint64_t lanes)
{
    return (uint32_t)(((lanes + (lanes >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint32_t of_symbol(symbols all, uint32_t symbol) { return all >> 8 * symbol & 255; }

static inline void gain_coins(struct game *g, struct player *p, uint8_t coins)
{
    if (coins > g->bank) coins = g->bank;
    g->bank -= coins;
    p->coins += coins;
}

static inline void pay_coins(struct game *g, struct player *p, uint8_t coins)
{
    p->coins -= coins;
    g->bank += coins;
}

/* ----------------------------------------------------------------------------------------------------------- the dice
 * Own dice of a player are alike, so a hand is one of the 462 multisets of up to five faces, and all that does not
 * depend on the rest of the state stands in a table: which dice may be taken, how many ways to roll or turn them. */
enum { HANDS = 462, FACES = 6, WHITE = 7, MOST = 5, SETS = 15, OUTCOMES = 1 + 6 + 36 + 216 + 1296 + 7776 };

/* One or two kinds of dice: faces, or WHITE for the white die, which stands second unless it is alone. */
#define SET(first, second) (8 * (first) + (second))
#define FIRST(set) ((set) >> 3)
#define SECOND(set) ((set)&7)

struct hand {
    uint32_t faces;                 /* how often it has each: four bits a face, face 1 at bit 4 */
    uint8_t size, kinds;            /* the number of its dice and of different faces */
    uint8_t subsets, nudges;
    uint8_t sets_count, sets[SETS]; /* the sets of one or two of its dice; those of one come first */
};
static struct hand hands[HANDS];
static uint16_t with[HANDS][FACES + 1], without[HANDS][FACES + 1]; /* the hand with a die more, or less */
static uint16_t rolled[OUTCOMES];                                  /* the hand for an outcome of so many dice */
static const uint16_t rolled_from[] = {0, 1, 7, 43, 259, 1555}, powers[] = {1, 6, 36, 216, 1296, 7776, 46656};

/* accepted[joker][set]: the lanes where these dice may lie; here the white die goes by its face unless it is alone. */
static uint64_t accepted[2][64];

static inline uint32_t how_many(uint32_t faces, uint32_t face) { return faces >> 4 * face & 15; }

static void describe(struct hand *hand)
{
    hand->subsets = 1;
    for (uint32_t face = 1; face <= FACES; face++) {
        uint32_t dice = how_many(hand->faces, face);
        if (dice == 0) continue;
        hand->sets[hand->kinds++] = SET(face, 0);
        hand->size += (uint8_t)dice;
        hand->subsets *= (uint8_t)(dice + 1);
        hand->nudges += 1 + (face != 1 && face != FACES);
    }
    hand->sets_count = hand->kinds;
    for (uint32_t a = 0; a < hand->kinds; a++)
        for (uint32_t b = a; b < hand->kinds; b++) {
            uint32_t first = FIRST(hand->sets[a]), second = FIRST(hand->sets[b]);
            if (a != b || how_many(hand->faces, first) > 1) hand->sets[hand->sets_count++] = SET(first, second);
        }
}

static void make_hands(void)
{
    uint32_t count = 1;
    for (uint32_t number = 0; number < count; number++) { /* hands are added while this goes on */
        describe(&hands[number]);
        for (uint32_t face = 1; face <= FACES && hands[number].size < MOST; face++) {
            uint32_t faces = hands[number].faces + (UINT32_C(1) << 4 * face), found = 0;
            while (found < count && hands[found].faces != faces) found++;
            if (found == count) hands[count++].faces = faces;
            with[number][face] = (uint16_t)found;
            without[found][face] = (uint16_t)number;
        }
    }
    for (uint32_t dice = 0; dice <= MOST; dice++)
        for (uint32_t outcome = 0; outcome < powers[dice]; outcome++) {
            uint32_t number = 0, rest = outcome;
            for (uint32_t die = 0; die < dice; die++, rest /= FACES) number = with[number][1 + rest % FACES];
            rolled[rolled_from[dice] + outcome] = (uint16_t)number;
        }
}

static void make_accepted(void)
{
    for (uint32_t joker = 0; joker < 2; joker++) {
        accepted[joker][SET(WHITE, 0)] = ANYTHING;
        for (uint32_t a = 1; a <= FACES; a++)
            for (uint32_t b = 0; b <= FACES; b++) {
                uint64_t lanes = ANYTHING;
                for (uint32_t m = 1; m <= FACES; m++) /* what the dice are read as */
                    for (uint32_t n = b ? 1 : 0; n <= (b ? FACES : 0); n++) {
                        bool shown = (m == a || (joker && a == 1)) && (n == b || (joker && b == 1));
                        if (shown) lanes |= LANE(m + n) | (m == n ? DOUBLES : 0);
                    }
                accepted[joker][SET(a, b)] = lanes;
            }
    }
}

/* Roll own dice, and perhaps the white one; gives the hand with them and with those that stay. */
static uint32_t roll(struct game *g, struct player *p, uint32_t staying, uint32_t dice, bool white)
{
    uint32_t outcome = below(g, powers[dice + white]), rest = outcome;
    if (white) {
        outcome = rest / FACES;
        p->white = (uint8_t)(1 + rest % FACES);
    }
    if (TRACING) {
        printf("~ roll");
        for (uint32_t die = 0, left = outcome; die < dice; die++, left /= FACES) printf(" %u", 1 + left % FACES);
        if (white) printf(" %u", p->white);
        putchar('\n');
    }
    if (staying == 0) return rolled[rolled_from[dice] + outcome];
    for (; dice; dice--, outcome /= FACES) staying = with[staying][1 + outcome % FACES];
    return staying;
}

/* ---------------------------------------------------------------------------------------------------------- one move
 * The options of a move are counted in this order: to roll some dice again, to turn a die by one, to place dice. */
struct moves {
    uint32_t rerolls, nudges, all;
    uint64_t fields;               /* that he may place on at all */
    uint16_t end[SETS + MOST + 1]; /* the number of options up to the last with each set of dice */
};

struct move {
    enum { REROLL, NUDGE, PLACE } what;
    uint32_t faces;   /* own dice that are rolled again, as in a hand */
    bool white;       /* whether the white one is, too */
    uint8_t dice, to; /* a set; the new face or the field */
};

static inline uint32_t face_of(const struct player *p, uint32_t kind) { return kind == WHITE ? p->white : kind; }

/* The n-th set of one or two dice; those with the white die stand behind the others. */
static inline uint32_t nth_set(const struct hand *hand, uint32_t n)
{
    if (n < hand->sets_count) return hand->sets[n];
    n -= hand->sets_count;
    return n < hand->kinds ? SET(FIRST(hand->sets[n]), WHITE) : SET(WHITE, 0);
}

static inline uint64_t lanes_for(const struct player *p, uint32_t set)
{
    return accepted[p->joker][SECOND(set) == WHITE ? SET(FIRST(set), p->white) : set];
}

static void count_moves(const struct game *g, const struct player *p, struct moves *m)
{
    const struct hand *hand = &hands[p->hand];
    uint64_t fields = STREET & ~g->taken;
    m->rerolls = m->nudges = 0;
    if (p->coins == 0) {
        fields &= ~UINT64_C(0) << p->coach; /* no bribe; the field of the coach itself is taken */
    } else {
        m->rerolls = (hand->subsets << (p->white != 0)) - 1;
        m->nudges = hand->nudges;
        if (p->white) m->nudges += 1 + (p->white != 1 && p->white != FACES);
    }
    m->fields = fields |= ONE(GEHEIMBUND);

    uint32_t all = m->rerolls + m->nudges, set = 0;
    uint64_t counts = lane_counts(fields);
    const uint64_t *lanes = accepted[p->joker];
    for (; set < hand->sets_count; set++) {
        all += total(counts & lanes[hand->sets[set]]);
        m->end[set] = (uint16_t)all;
    }
    if (p->white) {
        for (uint32_t kind = 0; kind < hand->kinds; kind++) {
            all += total(counts & lanes[hand->sets[kind] + p->white]);
            m->end[set++] = (uint16_t)all;
        }
        m->end[set] = (uint16_t)++all; /* the white die alone */
    }
    m->all = all;
}

static struct move nth_reroll(const struct player *p, uint32_t n)
{
    const struct hand *hand = &hands[p->hand];
    struct move move = {.what = REROLL};
    n++; /* not none of them: how many of each kind are the digits of a number */
    for (uint32_t kind = 0; kind < hand->kinds; kind++) {
        uint32_t face = FIRST(hand->sets[kind]), base = how_many(hand->faces, face) + 1;
        move.faces += n % base << 4 * face;
        n /= base;
    }
    move.white = n;
    return move;
}

static struct move nth_nudge(const struct player *p, uint32_t n)
{
    const struct hand *hand = &hands[p->hand];
    for (uint32_t number = 0;; number++) {
        uint32_t kind = number < hand->kinds ? FIRST(hand->sets[number]) : WHITE, face = face_of(p, kind);
        uint32_t ways = 1 + (face != 1 && face != FACES);
        if (n < ways) {
            bool down = n == 0 && face > 1;
            return (struct move){.what = NUDGE, .dice = SET(kind, 0), .to = (uint8_t)(down ? face - 1 : face + 1)};
        }
        n -= ways;
    }
}

static struct move nth_move(const struct player *p, const struct moves *m, uint32_t n)
{
    if (n < m->rerolls) return nth_reroll(p, n);
    if (n < m->rerolls + m->nudges) return nth_nudge(p, n - m->rerolls);
    uint32_t number = 0;
    while (n >= m->end[number]) number++;
    n -= number ? m->end[number - 1] : m->rerolls + m->nudges;
    uint32_t set = nth_set(&hands[p->hand], number), to = nth_bit(m->fields & lanes_for(p, set), n);
    return (struct move){.what = PLACE, .dice = (uint8_t)set, .to = (uint8_t)to};
}

/* With LISTS: all moves, a word each, in the same order; what a policy that looks at the options would be given. */
static void list_moves(const struct player *p, const struct moves *m, uint32_t *list)
{
    const struct hand *hand = &hands[p->hand];
    uint32_t sets = hand->sets_count + (p->white ? hand->kinds + 1u : 0), kinds = hand->kinds + (p->white != 0);
    for (uint32_t n = 0; n < m->rerolls; n++) *list++ = REROLL << 16 | n;
    if (m->nudges)
        for (uint32_t number = 0; number < kinds; number++) {
            uint32_t kind = number < hand->kinds ? FIRST(hand->sets[number]) : WHITE, face = face_of(p, kind);
            if (face > 1) *list++ = NUDGE << 16 | SET(kind, 0) << 8 | (face - 1);
            if (face < FACES) *list++ = NUDGE << 16 | SET(kind, 0) << 8 | (face + 1);
        }
    for (uint32_t number = 0; number < sets; number++) {
        uint32_t set = nth_set(hand, number);
        for (uint64_t left = m->fields & lanes_for(p, set); left; left &= left - 1)
            *list++ = PLACE << 16 | set << 8 | (uint32_t)__builtin_ctzll(left);
    }
}

static struct move listed_move(const struct player *p, uint32_t word)
{
    if (word >> 16 == REROLL) return nth_reroll(p, word & 65535);
    return (struct move){.what = word >> 16, .dice = (uint8_t)(word >> 8), .to = (uint8_t)word};
}

static inline void take_die(struct player *p, uint32_t kind)
{
    if (kind == WHITE) p->white = 0;
    else p->hand = without[p->hand][kind];
}

static inline void turn_die(struct player *p, uint32_t kind, uint32_t face)
{
    if (kind == WHITE) p->white = (uint8_t)face;
    else p->hand = with[without[p->hand][kind]][face];
}

static void reroll(struct game *g, struct player *p, struct move move)
{
    uint32_t staying = p->hand, dice = 0;
    for (uint32_t faces = move.faces; faces; dice++) {
        uint32_t face = (uint32_t)__builtin_ctz(faces) >> 2;
        staying = without[staying][face];
        faces -= UINT32_C(1) << 4 * face;
    }
    p->hand = (uint16_t)roll(g, p, staying, dice, move.white);
}

static void say_kind(const struct player *p, uint32_t kind)
{
    printf(kind == WHITE ? " w%u" : " %u", face_of(p, kind));
}

static void say_move(const struct player *p, struct move move)
{
    switch (move.what) {
    case REROLL:
        printf("reroll");
        for (uint32_t face = 1; face <= FACES; face++)
            for (uint32_t n = how_many(move.faces, face); n; n--) say_kind(p, face);
        if (move.white) say_kind(p, WHITE);
        break;
    case NUDGE:
        printf("nudge");
        say_kind(p, FIRST(move.dice));
        printf(" %u", move.to);
        break;
    case PLACE:
        printf("place");
        say_kind(p, FIRST(move.dice));
        if (SECOND(move.dice)) say_kind(p, SECOND(move.dice));
        printf(" %s", field_names[move.to]);
        break;
    }
}

/* --------------------------------------------------------------------------------------------- the lightning fields */
static void krieau(struct game *g, struct player *p)
{
    uint64_t free = STREET & ~g->taken;
    uint32_t count = total(lane_counts(free)), taken = decide(g, count);
    TELL(p - g->seats, taken, count, fputs(field_names[nth_bit(free, k)], stdout))
    g->taken |= ONE(nth_bit(free, taken));

    taken = decide(g, 2); /* also if the bank is empty */
    TELL(p - g->seats, taken, 2, fputs(k ? "point" : "coin", stdout))
    if (taken) p->points++;
    else gain_coins(g, p, 1);
}

/* The n-th way to turn a die to another face: kinds in order, each with five faces. */
static struct move nth_turn(const struct player *p, uint32_t n)
{
    const struct hand *hand = &hands[p->hand];
    uint32_t number = n / 5, face = n % 5 + 1, kind = number < hand->kinds ? FIRST(hand->sets[number]) : WHITE;
    return (struct move){.dice = SET(kind, 0), .to = (uint8_t)(face + (face >= face_of(p, kind)))};
}

static void say_turn(const struct player *p, struct move move)
{
    printf("turn");
    say_kind(p, FIRST(move.dice));
    printf(" %u", move.to);
}

static void prater(struct game *g, struct player *p)
{
    gain_coins(g, p, 1);
    uint32_t turns = 5u * (hands[p->hand].kinds + (p->white != 0));
    if (turns == 0) return;
    uint32_t taken = decide(g, turns + 1);
    TELL(p - g->seats, taken, turns + 1, k < turns ? say_turn(p, nth_turn(p, k)) : (void)fputs("no", stdout))
    if (taken < turns) {
        struct move move = nth_turn(p, taken);
        turn_die(p, FIRST(move.dice), move.to);
    }
}

/* -------------------------------------------------------------------------------------------------------- placement */
static void place(struct game *g, struct player *p, struct move move)
{
    take_die(p, FIRST(move.dice));
    if (SECOND(move.dice)) take_die(p, SECOND(move.dice));
    if (move.to == GEHEIMBUND) {
        gain_coins(g, p, SECOND(move.dice) ? 2 : 1);
        return;
    }
    if (move.to < p->coach) pay_coins(g, p, 1);
    p->coach = move.to;
    g->taken |= ONE(move.to);
    g->occupied |= ONE(move.to);
    g->occupants[move.to] = (uint8_t)(p - g->seats);
    if (move.to == KRIEAU) krieau(g, p);
    else if (move.to == PRATER) prater(g, p);
}

static void move_until_placed(struct game *g, struct player *p)
{
    for (;;) {
        struct moves m;
        count_moves(g, p, &m);
        uint32_t taken = decide(g, m.all);
        TELL(p - g->seats, taken, m.all, say_move(p, nth_move(p, &m, k)))
        struct move move;
        if (LISTING) {
            uint32_t list[1024];
            list_moves(p, &m, list);
            move = listed_move(p, list[taken]);
        } else {
            move = nth_move(p, &m, taken);
        }
        if (move.what == PLACE) {
            place(g, p, move);
            return;
        }
        pay_coins(g, p, 1);
        if (move.what == NUDGE) turn_die(p, FIRST(move.dice), move.to);
        else reroll(g, p, move);
    }
}

static inline bool has_dice(const struct player *p) { return p->hand || p->white || !p->rolled; }

static void placement(struct game *g)
{
    uint32_t seat = g->holders[START_PLAYER], empty_handed = 0;
    uint32_t white_owner = g->holders[ADDITIONAL_DIE];
    for (; empty_handed < g->players; seat = seat + 1 == g->players ? 0 : seat + 1) {
        struct player *p = &g->seats[seat];
        if (!has_dice(p)) { /* the placement is over when this is so of all in a row */
            empty_handed++;
            continue;
        }
        empty_handed = 0;
        if (!p->rolled) {
            p->rolled = true;
            p->hand = (uint16_t)roll(g, p, 0, g->dice_each, seat == white_owner);
        }
        move_until_placed(g, p);
        if (g->holders[DOUBLE_MOVE] == seat && !g->double_move_used && has_dice(p)) {
            uint32_t taken = decide(g, 2);
            TELL(seat, taken, 2, fputs(k ? "pass" : "double_move", stdout))
            if (taken == 0) {
                g->double_move_used = true;
                move_until_placed(g, p);
            }
        }
    }
}

/* ------------------------------------------------------------------------------------------------------- evaluation */
static inline struct player *left_of(struct game *g, const struct player *p)
{
    return p - g->seats + 1 == g->players ? g->seats : g->seats + (p - g->seats) + 1;
}

static inline struct player *right_of(struct game *g, const struct player *p)
{
    return p == g->seats ? g->seats + g->players - 1 : g->seats + (p - g->seats) - 1;
}

static void take_special(struct game *g, struct player *p, enum special card)
{
    uint32_t me = (uint32_t)(p - g->seats), before = g->holders[card];
    if (before == me) return;
    struct player *loser = before == SEATS ? NULL : &g->seats[before];
    g->holders[card] = (uint8_t)me;
    p->specials++;
    if (loser) loser->specials--;
    if (card == DICE_JOKER) {
        p->joker = true;
        if (loser) loser->joker = false;
    } else if (card == MORE_INFLUENCE) {
        p->symbols += SYM(1, 1, 1);
        if (loser) loser->symbols -= SYM(1, 1, 1);
    }
}

static void take_character(struct game *g, struct player *p, uint8_t cost)
{
    if (p->coins < cost || g->open_count == 0) return;
    pay_coins(g, p, cost);
    uint32_t taken = decide(g, g->open_count);
    TELL(p - g->seats, taken, g->open_count, printf("C%02d", g->open[k] + 1))
    p->symbols += characters[g->open[taken]];
    g->open_count--;
    for (uint32_t k = taken; k < g->open_count; k++) g->open[k] = g->open[k + 1];
}

static void compare(struct game *g, struct player *p, enum symbol symbol, uint8_t coins)
{
    struct player *neighbours[] = {left_of(g, p), right_of(g, p)};
    uint32_t mine = of_symbol(p->symbols, symbol);
    p->compared |= (uint8_t)(1 << symbol);
    for (int k = 0; k < 2; k++) {
        uint32_t his = of_symbol(neighbours[k]->symbols, symbol);
        if (mine > his) {
            p->points += 2;
            gain_coins(g, p, coins);
        } else if (mine == his) {
            p->points++;
        }
    }
}

static void gloriette(struct game *g, struct player *p)
{
    uint32_t left = 7 & ~(uint32_t)p->compared;
    if (p->coins == 0 || left == 0) return;
    pay_coins(g, p, 1);
    uint32_t count = total(lane_counts(left)), taken = decide(g, count);
    TELL(p - g->seats, taken, count, fputs(symbol_names[nth_bit(left, k)], stdout))
    compare(g, p, nth_bit(left, taken), 0);
}

struct raid {
    uint8_t first, second, coins; /* second: SEATS if there is one victim only */
};

/* The ways to raid; with `all` they are written there. */
static uint32_t raids(const struct game *g, const struct player *p, struct raid *all)
{
    uint32_t count = 0;
    for (uint8_t v = 0; v < g->players; v++) {
        if (&g->seats[v] == p) continue;
        for (uint8_t coins = 1; coins <= 3 && coins <= g->seats[v].coins; coins++)
            all[count++] = (struct raid){v, SEATS, coins};
    }
    uint32_t single = count;
    for (uint32_t a = 0; a < single; a++)
        for (uint32_t b = a + 1; b < single; b++)
            if (all[a].coins == 1 && all[b].coins == 1) all[count++] = (struct raid){all[a].first, all[b].first, 1};
    return count;
}

static void say_raid(struct raid raid)
{
    printf("raid %c", 'A' + raid.first);
    if (raid.second != SEATS) printf(" %c", 'A' + raid.second);
    printf(" %d", raid.coins);
}

static void tiergarten(struct game *g, struct player *p)
{
    struct raid all[4 * 3 + 6];
    uint32_t count = raids(g, p, all);
    if (count == 0) return;
    uint32_t taken = decide(g, count + 1);
    TELL(p - g->seats, taken, count + 1, k < count ? say_raid(all[k]) : (void)fputs("no", stdout))
    if (taken == count) return;
    struct raid raid = all[taken];
    g->seats[raid.first].coins -= raid.coins;
    p->coins += raid.coins;
    if (raid.second != SEATS) {
        g->seats[raid.second].coins--;
        p->coins++;
    }
}

static void evaluate(struct game *g)
{
    for (uint64_t left = g->occupied; left; left &= left - 1) {
        enum field field = (enum field)__builtin_ctzll(left);
        struct player *p = &g->seats[g->occupants[field]];
        switch (field) {
        case SECESSION: take_special(g, p, DICE_JOKER); break;
        case OPER: p->points++; break;
        case NASCHMARKT: gain_coins(g, p, 2); break;
        case CAFE_CENTRAL: take_special(g, p, START_PLAYER); break;
        case PARLAMENT: gain_coins(g, p, 1), p->points++; break;
        case RATHAUS:
            if (p->coins >= 3) pay_coins(g, p, 3), p->points += 4;
            break;
        case UNIVERSITAET: take_special(g, p, ADDITIONAL_DIE); break;
        case LANDTMANN: take_special(g, p, DOUBLE_MOVE); break;
        case HOFREITSCHULE: p->points += 2; break;
        case HELDENPLATZ: case BURGTHEATER: case POSTSPARKASSE: case KARLSKIRCHE: take_character(g, p, 1); break;
        case ALBERTINA: gain_coins(g, p, 3); break;
        case HOFBURG: take_special(g, p, MORE_INFLUENCE); break;
        case PESTSAEULE: compare(g, p, CITIZEN, 1); break;
        case STEPHANSDOM: compare(g, p, CROSS, 1); break;
        case BELVEDERE: compare(g, p, CROWN, 1); break;
        case SCHOENBRUNN: take_character(g, p, 0); break;
        case GLORIETTE: gloriette(g, p); break;
        case TIERGARTEN: tiergarten(g, p); break;
        case HEURIGER: p->points += p->specials; break;
        case KRIEAU: case PRATER: case GEHEIMBUND: case FIELD_BITS: break; /* acted when dice were placed */
        }
    }
}

/* --------------------------------------------------------------------------------------------------- the characters */
static uint8_t draw(struct game *g)
{
    if (g->deck_count) {
        uint32_t place = g->deck_count == 1 ? 0 : below(g, g->deck_count);
        uint8_t card = g->deck[place];
        if (TRACING && g->deck_count > 1) printf("~ draw C%02d\n", card + 1);
        g->deck[place] = g->deck[--g->deck_count];
        return card;
    }
    g->under_count--;
    return g->under[g->under_first++ & 63];
}

static void turn_up(struct game *g)
{
    for (uint32_t left = g->deck_count + g->under_count; left && g->open_count < g->players - 1; left--) {
        uint8_t card = draw(g);
        if (g->open_kinds >> card & 1) { /* a twin */
            g->under[(g->under_first + g->under_count++) & 63] = card;
        } else {
            g->open_kinds |= UINT32_C(1) << card;
            g->open[g->open_count++] = card;
        }
    }
}

static void lay_out_characters(struct game *g)
{
    g->open_kinds = 0;
    turn_up(g);
    if (g->open_count < g->players - 1 && g->discard_count) {
        while (g->discard_count) g->deck[g->deck_count++] = g->discard[--g->discard_count];
        for (; g->under_count; g->under_count--) g->deck[g->deck_count++] = g->under[g->under_first++ & 63];
        turn_up(g);
    }
}

/* --------------------------------------------------------------------------------------------------------- the game */
enum end { TARGET_REACHED, CAP_REACHED };

static void set_up(struct game *g, uint32_t players)
{
    static const uint8_t dice_each[] = {[3] = 5, [4] = 4, [5] = 4}, points[] = {[3] = 0, [4] = 2, [5] = 4};
    g->players = (uint8_t)players;
    g->dice_each = dice_each[players];
    g->bank = COINS;
    memset(g->holders, SEATS, sizeof g->holders);
    for (uint32_t seat = 0; seat < players; seat++) g->seats[seat].points = points[players];
    for (uint8_t card = 0; card < CHARACTER_CARDS; card++) g->deck[card] = card / 2;
    g->deck_count = CHARACTER_CARDS;

    uint32_t first = below(g, players), seat = first, starts = (1 << STARTS) - 1;
    if (TRACING) printf("~ first %c\n", (int)('A' + first));
    take_special(g, &g->seats[first], START_PLAYER);
    for (uint32_t left = STARTS; left > STARTS - players; left--) {
        seat = seat == 0 ? players - 1 : seat - 1; /* counterclockwise; the first player is the last */
        uint32_t taken = decide(g, left);
        TELL(seat, taken, left, printf("S%u", nth_bit(starts, k) + 1))
        uint32_t card = nth_bit(starts, taken);
        starts &= ~(UINT32_C(1) << card);
        g->seats[seat].symbols = start_cards[card].symbols;
        gain_coins(g, &g->seats[seat], start_cards[card].coins); /* at the end of the draft, but 15 coins are there */
    }
}

static void begin_round(struct game *g)
{
    g->rounds++;
    g->taken = g->occupied = 0;
    g->double_move_used = false;
    for (uint32_t seat = 0; seat < g->players; seat++) {
        g->seats[seat].rolled = false;
        g->seats[seat].coach = g->seats[seat].compared = 0;
    }
}

static void final_scoring(struct game *g)
{
    for (struct player *p = g->seats; p < g->seats + g->players; p++) {
        const struct player *neighbours[] = {left_of(g, p), right_of(g, p)};
        for (uint32_t symbol = 0; symbol < SYMBOLS; symbol++)
            for (int k = 0; k < 2; k++)
                p->points += of_symbol(p->symbols, symbol) > of_symbol(neighbours[k]->symbols, symbol);
        p->points += p->coins / 3;
        pay_coins(g, p, p->coins / 3 * 3);
    }
}

static enum end play(struct game *g, uint32_t players, uint64_t seed, uint64_t number)
{
    memset(g, 0, sizeof *g);
    g->random = mix(mix(seed) + number * GOLDEN);
    set_up(g, players);
    while (g->rounds < CAP) {
        begin_round(g);
        lay_out_characters(g);
        placement(g);
        evaluate(g);
        bool reached = false;
        for (uint32_t seat = 0; seat < players; seat++) reached |= g->seats[seat].points >= TARGET;
        if (reached) {
            final_scoring(g);
            return TARGET_REACHED;
        }
        while (g->open_count) g->discard[g->discard_count++] = g->open[--g->open_count];
    }
    return CAP_REACHED;
}

/* The winners as bits; ties are broken by special cards, then by coins, and then shared. */
static uint32_t winners(const struct game *g)
{
    uint32_t best = 0, found = 0;
    for (uint32_t seat = 0; seat < g->players; seat++) {
        const struct player *p = &g->seats[seat];
        uint32_t key = (uint32_t)p->points << 16 | (uint32_t)p->specials << 8 | p->coins;
        if (seat == 0 || key > best) best = key, found = 0;
        if (key == best) found |= 1u << seat;
    }
    return found;
}

/* ------------------------------------------------------------------------------------------------------ the figures */
struct figure {
    double sum, squares;
};

static void add(struct figure *figure, double value)
{
    figure->sum += value;
    figure->squares += value * value;
}

static void print_figure(struct figure figure, double count)
{
    double mean = figure.sum / count;
    double variance = count > 1 ? (figure.squares - figure.sum * mean) / (count - 1) : 0;
    printf("{\"mean\": %.6f, \"variance\": %.6f}", mean, variance);
}

/* Up to 15 options each number is a class of its own; then four classes for each doubling, as in `compare.py`. */
static void make_size_classes(void)
{
    for (uint32_t options = 0; options < sizeof size_classes; options++) {
        uint32_t log = 0;
        while (options >> (log + 1)) log++;
        size_classes[options] = (uint8_t)(options < 16 ? options : 4 * log + (options >> (log - 2) & 3));
    }
}

static void print_record(const struct game *g, enum end end, uint32_t won)
{
    printf("%u %u %u %d %u", g->decisions, g->forced, g->rounds, end, won);
    for (uint32_t seat = 0; seat < g->players; seat++) printf(" %u", g->seats[seat].points);
    for (uint32_t size = 0; size < SIZES; size++) printf(" %u", g->sizes[size]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    uint32_t players = argc > 3 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    if (players < 3 || players > SEATS) {
        fprintf(stderr, "usage: %s PLAYERS(3..5) GAMES SEED [records]\n", argv[0]);
        return 2;
    }
    uint64_t games = strtoull(argv[2], NULL, 10), seed = strtoull(argv[3], NULL, 10);
    bool records = argc > 4 && strcmp(argv[4], "records") == 0;
    make_hands();
    make_accepted();
    make_size_classes();

    static struct game g;
    struct figure decisions = {0}, forced = {0}, rounds = {0}, points[SEATS] = {{0}};
    double wins[SEATS] = {0};
    uint64_t ends[2] = {0}, shared = 0;
    clock_t start = clock();
    for (uint64_t number = 0; number < games; number++) {
        enum end end = play(&g, players, seed, number);
        uint32_t won = end == TARGET_REACHED ? winners(&g) : 0, winning = total(lane_counts(won));
        add(&decisions, g.decisions);
        add(&forced, g.forced);
        add(&rounds, g.rounds);
        for (uint32_t seat = 0; seat < players; seat++) {
            add(&points[seat], g.seats[seat].points);
            if (won >> seat & 1) wins[seat] += 1.0 / winning;
        }
        shared += winning > 1;
        ends[end]++;
        if (records) print_record(&g, end, won);
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC, count = games ? (double)games : 1;
    if (records) return 0;

    printf("{\"players\": %u, \"games\": %llu, \"seed\": %llu, \"seconds\": %.6f,\n", players,
           (unsigned long long)games, (unsigned long long)seed, seconds);
    printf(" \"decisions\": %.0f, \"decisions_without_forced\": %.0f,\n", decisions.sum, decisions.sum - forced.sum);
    printf(" \"decisions_a_game\": "), print_figure(decisions, count);
    printf(",\n \"forced_a_game\": "), print_figure(forced, count);
    printf(",\n \"rounds\": "), print_figure(rounds, count);
    printf(",\n \"points\": [");
    for (uint32_t seat = 0; seat < players; seat++) printf(seat ? ", " : ""), print_figure(points[seat], count);
    printf("],\n \"wins\": [");
    for (uint32_t seat = 0; seat < players; seat++) printf("%s%.6f", seat ? ", " : "", wins[seat] / count);
    printf("],\n \"shared_victories\": %llu,\n", (unsigned long long)shared);
    printf(" \"ends\": {\"target_reached\": %llu, \"cap\": %llu}}\n", (unsigned long long)ends[TARGET_REACHED],
           (unsigned long long)ends[CAP_REACHED]);
    return 0;
}

"""Facts of Grand Austria Hotel's components, typed from the project's list of them, in words of their own.

`test_hotel_data.py` holds the rules against them. Where the printings differ it is the one of 2015.
"""

from __future__ import annotations

from typing import Any

Fact = dict[str, Any]

GUESTS: dict[int, tuple[str, str, str, int, list[Fact]]] = {  # name, colour, order (S C W K), points, reward
    49: ("Sculptor", "yellow", "W", 0, [{"prepare_rooms": {"up_to": 1, "free": True, "max_row": 2}}]),
    50: ("Musician", "yellow", "W", 0, [{"draw_staff": 1}, {"prepare_rooms": {"up_to": 1}}]),
    51: ("Composer", "yellow", "W", 1, [{"gain": {"strudel": 1}}]),
    52: ("Tailor", "yellow", "WK", 0, [{"gain": {"strudel": 1, "krones": 2}}]),
    53: ("Flamenco Dancer", "yellow", "SW", 0, [{"gain": {"coffee": 1, "emperor_steps": 2}}]),
    54: ("Portrait Painter", "yellow", "WW", 0, [{"gain": {"any_item": 1, "krones": 2}}]),
    55: ("Photographer", "yellow", "WWW", 7, [{"draw_staff": 2}]),
    56: ("Vocalist", "yellow", "SWW", 0, [{"gain": {"cake": 1}}, {"play_staff": {"up_to": 1, "discount": 3}}]),
    57: ("Architect", "yellow", "WWK", 1, [{"prepare_rooms": {"up_to": 2, "discount_each": 1}}]),
    58: ("Actress", "yellow", "WWWK", 7, [{"occupy_rooms": {"up_to": 1}}]),
    59: ("Poet", "yellow", "SSSW", 5, [{"gain": {"cake": 1}}, {"play_staff": {"up_to": 1, "discount": 2}}]),
    60: ("Jewelry Designer", "yellow", "CCWW", 5, [{"gain": {"coffee": 1, "krones": 3}}]),
    61: (
        "Painter",
        "yellow",
        "SWWW",
        2,
        [{"prepare_rooms": {"up_to": 1, "discount_each": 1}}, {"prepare_rooms": {"up_to": 1}}],
    ),
    62: (
        "Opera Singer",
        "yellow",
        "SCWW",
        4,
        [{"take_guests": {"up_to": 1, "free": True}}, {"gain": {"emperor_steps": 3}}],
    ),
    63: ("Dame", "blue", "K", 0, [{"take_guests": {"up_to": 1, "free": True}}]),
    64: ("Duchess", "blue", "K", 0, [{"play_staff": {"up_to": 1, "discount": 1}}]),
    65: ("Knight of the Empire", "blue", "K", 3, []),
    66: ("Landgrave", "blue", "CK", 3, [{"play_staff": {"up_to": 1, "discount": 1}}, {"prepare_rooms": {"up_to": 1}}]),
    67: ("Sovereign", "blue", "KK", 2, [{"draw_staff": 2}, {"gain": {"emperor_steps": 2}}]),
    68: ("Princess", "blue", "SSK", 4, [{"gain": {"emperor_steps": 3}}]),
    69: ("Countess", "blue", "CCK", 7, [{"gain": {"krones": 3}}]),
    70: ("Elector", "blue", "SWK", 1, [{"play_staff": {"up_to": 1, "discount": 1}}, {"gain": {"emperor_steps": 3}}]),
    71: ("Baron", "blue", "SKK", 4, [{"prepare_rooms": {"up_to": 1, "free": True}}]),
    72: ("Prince", "blue", "SCK", 7, [{"occupy_rooms": {"up_to": 1}}]),
    73: ("Count", "blue", "WKK", 4, [{"play_staff": {"up_to": 2, "discount": 1}}]),
    74: ("Earl", "blue", "CKK", 10, [{"gain": {"krones": 1}}]),
    75: (
        "Baroness",
        "blue",
        "WWKK",
        5,
        [{"draw_and_play_staff": {"draw": 3, "play": 1, "discount": 3, "rest": "deck_bottom"}}],
    ),
    76: (
        "Duke",
        "blue",
        "SSKK",
        4,
        [{"draw_and_play_staff": {"draw": 3, "play": 1, "free": True, "rest": "deck_bottom"}}],
    ),
    77: ("Apothecary", "red", "C", 1, [{"gain": {"krones": 1}}]),
    78: ("Post Councillor", "red", "C", 0, [{"take_guests": {"up_to": 1, "free": True}}]),
    79: ("Privy Councillor", "red", "C", 0, [{"gain": {"krones": 1, "emperor_steps": 1}}]),
    80: ("Professor Emeritus", "red", "CW", 4, [{"take_guests": {"up_to": 1, "free": True}}]),
    81: ("General", "red", "CC", 0, [{"gain": {"wine": 1, "krones": 3}}]),
    82: ("Senior Councillor", "red", "CWK", 7, [{"occupy_rooms": {"up_to": 1}}]),
    83: ("Councillor of Commerce", "red", "SCW", 0, [{"gain": {"krones": 5}}]),
    84: ("Court Councillor", "red", "CCW", 2, [{"gain": {"krones": 3}}, {"take_guests": {"up_to": 1, "free": True}}]),
    85: ("Major", "red", "SSC", 3, [{"gain": {"krones": 3}}]),
    86: ("Veterinary Councillor", "red", "CWW", 3, [{"play_staff": {"up_to": 1, "discount": 3}}]),
    87: (
        "Medicinal Councillor",
        "red",
        "CCKK",
        3,
        [{"gain": {"krones": 3}}, {"take_guests": {"up_to": 2, "free": True}}],
    ),
    88: ("Procurator", "red", "CWWW", 0, [{"prepare_rooms": {"up_to": 2, "free": True}}]),
    89: ("Lord High Commissioner", "red", "SSCW", 5, [{"gain": {"krones": 4}}]),
    90: ("Senior Legal Secretary", "red", "SCCC", 7, [{"gain": {"wine": 1, "krones": 3}}]),
    91: ("Tezcatlipoca", "green", "S", 0, [{"draw_staff": 3}]),
    92: ("Capt. Goldhaken", "green", "S", 0, [{"gain": {"krones": 1}}]),
    93: ("Mr. Horsa", "green", "S", 0, [{"gain": {"emperor_steps": 1}}]),
    94: ("M. Ingalls", "green", "SS", 0, [{"play_staff": {"up_to": 1, "discount": 1}}]),
    95: ("Mr. Boydell", "green", "SC", 2, [{"gain": {"emperor_steps": 2}}]),
    96: ("Mr. Oundo", "green", "SK", 0, [{"play_staff": {"up_to": 1, "discount": 3}}]),
    97: ("E. Gizia", "green", "SSW", 4, [{"extra_action": 1}]),
    98: ("M. Polo", "green", "SSS", 0, [{"gain": {"krones": 4}}]),
    99: ("Cramersopholus", "green", "SCC", 5, [{"draw_staff": 1}, {"gain": {"emperor_steps": 2}}]),
    100: ("Farmer Franz", "green", "SKKK", 4, [{"gain": {"emperor_steps": 3}}, {"occupy_rooms": {"up_to": 1}}]),
    101: (
        "Brother Uwe",
        "green",
        "SSSK",
        3,
        [{"gain": {"emperor_steps": 3}}, {"take_guests": {"up_to": 1, "free": True}}],
    ),
    102: ("Conductor", "green", "SK", 0, [{"gain": {"emperor_steps": 1}}, {"occupy_rooms": {"up_to": 1}}]),
    103: ("Durgoing", "green", "SW", 4, [{"draw_staff": 2}]),
    104: ("MacLeod", "green", "SSCC", 2, [{"play_staff": {"up_to": 1, "free": True}}]),
}
STAFF: dict[int, tuple[str, int, str, Fact]] = {  # name, cost, timing, effect
    1: ("Breakfast Server", 4, "once_per_round", {"gain": {"strudel": 1}}),
    2: ("Waitress", 6, "once_per_round", {"gain": {"cake": 1}}),
    3: ("Barkeeper", 4, "once_per_round", {"gain": {"wine": 1}}),
    4: ("Sous-Chef", 6, "once_per_round", {"gain": {"coffee": 1}}),
    5: ("Groom", 4, "permanent", {"on_check_in": "red", "gain": {"krones": 2}}),
    6: ("Stableman", 1, "permanent", {"on_check_in": "blue", "gain": {"emperor_steps": 1}}),
    7: ("Masseuse", 1, "permanent", {"on_check_in": "yellow", "gain": {"krones": 1}}),
    8: ("Tour Guide", 2, "permanent", {"on_check_in": "green", "gain": {"vp": 2}}),
    9: ("Butler", 5, "permanent", {"prepare_cost_zero": "blue"}),
    10: ("Chauffeur", 5, "permanent", {"prepare_cost_zero": "red"}),
    11: ("Florist", 5, "permanent", {"prepare_cost_zero": "yellow"}),
    12: (
        "Executive Housekeeper",
        2,
        "permanent",
        {"when": "you take a die showing", "faces": [3, 4], "gain": {"vp": 2}},
    ),
    13: ("Restaurant Manager", 2, "permanent", {"when": "you take a die showing", "faces": [1, 2], "strength_plus": 1}),
    14: (
        "Decorator",
        2,
        "permanent",
        {"when": "you take a die showing", "faces": [1, 2], "also": {"prepare_rooms": {"up_to": 1}}},
    ),
    15: (
        "Bootblack",
        4,
        "permanent",
        {
            "when": "you take a die showing",
            "faces": [4],
            "replaces": "per die gain both 1 krone and 1 emperor step instead of choosing",
        },
    ),
    16: ("Laundress", 2, "permanent", {"when": "you take a die showing", "faces": [4], "gain": {"vp": 4}}),
    17: (
        "Kitchen Hand",
        3,
        "permanent",
        {"when": "you take a die showing", "faces": [6], "no_fee": True, "strength_plus": 1},
    ),
    18: ("Checker", 2, "permanent", {"when": "you take a die showing", "faces": [5], "strength_plus": 2}),
    19: ("Interior Architect", 3, "permanent", {"when": "you take a die showing", "faces": [3], "gain": {"vp": 5}}),
    20: ("Detective", 2, "permanent", {"when": "you take a die showing", "faces": [5], "gain": {"emperor_steps": 2}}),
    21: ("Chef", 3, "immediate", {"gain": {"strudel": 1, "cake": 1, "wine": 1, "coffee": 1}}),
    22: (
        "Staff Manager",
        3,
        "permanent",
        {"when": "you take a die showing", "faces": [3], "also": {"play_staff": {"up_to": 1, "discount": 0}}},
    ),
    23: ("Custodian", 5, "permanent", {"on_any_room_occupied": {"gain": {"krones": 1}}}),
    24: ("Chief Waiter", 1, "permanent", {"serve_from_kitchen_free": True}),
    25: ("Delivery Boy", 6, "permanent", {"guest_queue_free": True}),
    26: (
        "Conference Manager",
        5,
        "permanent",
        {
            "emperor_penalty": {
                "edition_2022": "may pay 1 krone to ignore it",
                "edition_2015": "ignore it (low confidence, P6 only)",
            }
        },
    ),
    27: ("Booking Manager", 4, "game_end", {"vp_per": {"occupied_red_room": 3}}),
    28: ("Concierge", 4, "game_end", {"vp_per": {"occupied_blue_room": 3}}),
    29: (
        "Secretary",
        5,
        "game_end",
        {"copy": "one game_end staff card in play of an opponent, applied to your own hotel"},
    ),
    30: ("Reception Clerk", 4, "game_end", {"vp_per": {"occupied_yellow_room": 3}}),
    31: ("Chambermaid", 4, "game_end", {"vp_per": {"occupied_room": 1}}),
    32: ("Assistant Manager", 4, "game_end", {"vp_per": {"staff_card_played_incl_this": 2}}),
    33: (
        "Male Floor Housekeeper",
        5,
        "permanent",
        {"on_check_in": "any guest whose order has 4 or more items", "gain": {"vp": 4}},
    ),
    34: ("Receptionist", 5, "game_end", {"vp_per": {"room_tile_prepared_or_occupied": 1}}),
    35: ("Page Boy", 2, "immediate", {"occupy_rooms": {"up_to": 2}}),
    36: ("Sommelier", 2, "immediate", {"gain": {"wine": 4}}),
    37: ("Room Service", 3, "game_end", {"vp_per": {"fully_occupied_group": 2}}),
    38: ("Porter", 5, "immediate", {"complete_order": "one guest in your cafe, items from the supply"}),
    39: ("Confectioner", 3, "immediate", {"gain": {"cake": 4}}),
    40: ("Marketing Director", 2, "game_end", {"vp_per": {"own_disk_on_politics_card": 5}}),
    41: (
        "Operator",
        3,
        "game_end",
        {"vp_per": {"final_emperor_space": 2}, "edition_2015": {"max_vp": 12}, "edition_2022": {"max_vp": None}},
    ),
    42: ("Gardener", 3, "permanent", {"on_emperor_bonus_received": {"gain": {"vp": 5}}}),
    43: ("Barista", 3, "immediate", {"gain": {"coffee": 4}}),
    44: ("Larder Cook", 2, "immediate", {"gain": {"strudel": 4}}),
    45: ("Pool Attendant", 1, "immediate", {"gain": {"emperor_steps": 3}}),
    46: ("Female Floor Housekeeper", 2, "game_end", {"vp_per": {"fully_occupied_row": 5}}),
    47: ("Liftboy", 4, "game_end", {"vp_per": {"fully_occupied_column": 5}}),
    48: ("Hotel Manager", 4, "game_end", {"vp_per": {"set_of_occupied_red_blue_yellow": 4}}),
}
POLITICS: dict[int, tuple[str, Fact]] = {
    105: ("A", {"krones": 20}),
    106: ("A", {"room_tiles_prepared_or_occupied": 12}),
    107: ("A", {"staff_cards_played": 6}),
    108: ("A", {"emperor_space_at_least": 10}),
    109: ("B", {"fully_occupied_rows": 2}),
    110: ("B", {"fully_occupied_groups": 6}),
    111: ("B", {"all_rooms_of_one_color_occupied": 1}),
    112: ("B", {"fully_occupied_columns": 2}),
    113: ("C", {"occupied": {"red": 3, "blue": 3, "yellow": 3}}),
    114: ("C", {"occupied": {"red": 4, "yellow": 3}}),
    115: ("C", {"occupied": {"yellow": 4, "blue": 3}}),
    116: ("C", {"occupied": {"blue": 4, "red": 3}}),
}
EMPEROR_TILES: dict[str, tuple[list[Fact], Fact]] = {
    "A1": ([{"gain": {"krones": 3}}], {"choose_one": [{"lose": {"krones": 3}}, {"lose": {"vp": 5}}]}),
    "A2": ([{"gain": {"any_item": 2}}], {"return_all_items_from": ["kitchen"]}),
    "A3": (
        [{"draw_and_play_staff": {"draw": 3, "play": 1, "discount": 3, "rest": "deck_bottom"}}],
        {"choose_one": [{"hand_staff_to_deck_bottom": 2}, {"lose": {"vp": 5}}]},
    ),
    "A4": (
        [{"prepare_rooms": {"up_to": 1, "free": True}}],
        {"choose_one": [{"lose": {"vp": 5}}, {"remove_unoccupied_rooms": 1, "from": "highest possible row"}]},
    ),
    "B1": (
        [{"gain": {"strudel": 1, "cake": 1, "wine": 1, "coffee": 1}}],
        {"return_all_items_from": ["kitchen", "guests"]},
    ),
    "B2": ([{"gain": {"krones": 5}}], {"choose_one": [{"lose": {"krones": 5}}, {"lose": {"vp": 7}}]}),
    "B3": (
        [{"draw_and_play_staff": {"draw": 3, "play": 1, "free": True, "rest": "deck_bottom"}}],
        {"choose_one": [{"hand_staff_to_deck_bottom": 3}, {"lose": {"vp": 7}}]},
    ),
    "B4": (
        [{"prepare_and_occupy_room": {"n": 1, "free": True, "max_row": 2}}],
        {"choose_one": [{"lose": {"vp": 7}}, {"remove_unoccupied_rooms": 2, "from": "highest possible row(s)"}]},
    ),
    "C1": ([{"gain": {"vp": 8}}], {"lose": {"vp": 8}}),
    "C2": (
        [{"prepare_and_occupy_room": {"n": 1, "free": True}}],
        {
            "remove_occupied_rooms": 2,
            "edition_2015": "the occupied room in the highest row, and the next occupied one below it in its column",
            "edition_2022": "one from the highest row, then one from the next highest row, any column",
        },
    ),
    "C3": ([{"gain_per_staff_played": {"vp": 2}}], {"lose_per_staff_played": {"vp": 2}}),
    "C4": (
        [{"play_staff": {"up_to": 1, "free": True}}],
        {"choose_one": [{"discard_played_staff_with_timing": "game_end"}, {"lose": {"vp": 10}}]},
    ),
}
INTRODUCTORY_SETS = {
    "A": [1, 10, 12, 21, 28, 35],
    "B": [3, 9, 16, 24, 27, 43],
    "C": [2, 11, 13, 20, 30, 45],
    "D": [4, 8, 18, 22, 31, 44],
}
BOARDS = {  # colours from the bottom row up, left to right; the groups
    "night": (
        "byrrb yyrry brbyy brbrb",
        [1, 2, 3, 3, 4, 2, 2, 3, 3, 5, 6, 7, 8, 5, 5, 6, 7, 8, 9, 10],
    ),
    "day_1": (
        "yyyrr rrbby ybryy bbbrb",
        [1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 5, 5, 7, 7, 7, 9, 10],
    ),
    "day_2": (
        "yyyrb brrbr byrbr bryyy",
        [1, 1, 1, 2, 3, 4, 5, 5, 6, 7, 4, 8, 5, 6, 7, 4, 9, 10, 10, 10],
    ),
    "day_3": (
        "rybbr yyrrb rbyrr bbbyy",
        [1, 2, 3, 3, 4, 2, 2, 5, 5, 6, 7, 8, 9, 5, 5, 8, 8, 8, 10, 10],
    ),
    "day_4": (
        "rryrb ryyrb yrbby yrbyb",
        [1, 1, 2, 3, 4, 1, 2, 2, 3, 4, 5, 6, 7, 7, 8, 5, 6, 7, 9, 10],
    ),
}
PRINTED_POINTS = {(3, 4): 1, (3, 5): 1, (4, 3): 2, (4, 4): 2, (4, 5): 2}
ROW_COST = {1: 0, 2: 1, 3: 2, 4: 3}
OCCUPANCY = {
    "blue": ("vp", {1: 2, 2: 5, 3: 9, 4: 15}),
    "red": ("krones", {1: 1, 2: 3, 3: 6, 4: 10}),
    "yellow": ("emperor_steps", {1: 1, 2: 3, 3: 6, 4: 10}),
}
QUEUE_COST = [3, 2, 1, 0, 0]  # left, newest, to right, oldest
EMPEROR_POINTS = [0, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 9]
EMPEROR_POINTS_CONTESTED = [0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9]
POLITICS_POINTS = [15, 10, 5]
DICE = {2: 10, 3: 12, 4: 14}
TURN_ORDER_TILES = {2: [[1, 4], [2, 3]], 3: [[1, 6], [2, 5], [3, 4]], 4: [[1, 8], [2, 7], [3, 6], [4, 5]]}
STEP_BACK = [3, 5, 7]
